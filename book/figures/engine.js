// The library's Llama and Seq2Seq in the reader's browser: weights of 8 bits, a key–value cache, one text at a time.
// It reads the files of allyouneed/export.py and computes what the library computes (tests/book/test_engine.py holds them equal).
// A matrix of T rows is one Float32Array, row after row.

/** y = x Wᵀ + bias for every row of x; W is { rows, cols, ints, scales }. */
export function linear(x, { rows, cols, ints, scales }, bias) {
  const n = x.length / cols, y = new Float32Array(n * rows);
  for (let t = 0; t < n; t++) {
    for (let r = 0; r < rows; r++) {
      let sum = 0;
      for (let c = 0, w = r * cols, i = t * cols; c < cols; c++) sum += ints[w++] * x[i++];
      y[t * rows + r] = sum * scales[r] + (bias ? bias[r] : 0);
    }
  }
  return y;
}

/** Rows of a matrix, multiplied out: the embeddings of token ids, times a factor. */
function rowsOf({ cols, ints, scales }, ids, factor = 1) {
  const x = new Float32Array(ids.length * cols);
  ids.forEach((id, t) => { for (let c = 0; c < cols; c++) x[t * cols + c] = ints[id * cols + c] * scales[id] * factor; });
  return x;
}

function eachRow(x, width, change) {
  const y = new Float32Array(x.length);
  for (let start = 0; start < x.length; start += width) change(x.subarray(start, start + width), y.subarray(start, start + width));
  return y;
}

/** x / sqrt(mean(x²) + eps) · weight */
export function rmsNorm(x, weight, eps) {
  return eachRow(x, weight.length, (row, out) => {
    let squares = 0;
    for (const value of row) squares += value * value;
    const by = 1 / Math.sqrt(squares / row.length + eps);
    for (let i = 0; i < row.length; i++) out[i] = row[i] * by * weight[i];
  });
}

/** (x - mean) / sqrt(variance + eps) · weight + bias */
export function layerNorm(x, weight, bias, eps = 1e-5) {
  return eachRow(x, weight.length, (row, out) => {
    let mean = 0, variance = 0;
    for (const value of row) mean += value / row.length;
    for (const value of row) variance += (value - mean) ** 2 / row.length;
    const by = 1 / Math.sqrt(variance + eps);
    for (let i = 0; i < row.length; i++) out[i] = (row[i] - mean) * by * weight[i] + bias[i];
  });
}

const sum = (x, y) => x.map((value, i) => value + y[i]);
const relu = x => x.map(value => Math.max(0, value));
const swiglu = (gate, up) => gate.map((value, i) => value / (1 + Math.exp(-value)) * up[i]);

/** Turn each pair of numbers of each head by its place · base^(-2j / width); row 0 stands at place `start`. */
export function rotate(x, heads, width, start, base) {
  const y = new Float32Array(x.length);
  for (let i = 0; i < x.length; i += 2) {
    const angle = (start + Math.floor(i / (heads * width))) * base ** (-(i % width) / width);
    const cosine = Math.cos(angle), sine = Math.sin(angle);
    y[i] = x[i] * cosine - x[i + 1] * sine;
    y[i + 1] = x[i] * sine + x[i + 1] * cosine;
  }
  return y;
}

/**
 * softmax(q kᵀ / √width) v, head by head. Row t of q may see the first `seen(t)` of the keys.
 * q has `heads` heads a row, k and v have `groups`. Returns [output, maps]: maps[head] is (T, S), row after row.
 */
export function attend(q, k, v, heads, groups, width, seen) {
  const n = q.length / (heads * width), keys = k.length / (groups * width);
  const output = new Float32Array(q.length), maps = [];
  for (let head = 0; head < heads; head++) {
    const map = new Float32Array(n * keys), group = Math.floor(head * groups / heads);
    for (let t = 0; t < n; t++) {
      const row = map.subarray(t * keys, t * keys + seen(t)), from = (t * heads + head) * width;
      let largest = -Infinity, total = 0;
      for (let s = 0; s < row.length; s++) {
        let score = 0;
        for (let c = 0, i = (s * groups + group) * width; c < width; c++) score += q[from + c] * k[i + c];
        row[s] = score / Math.sqrt(width);
        largest = Math.max(largest, row[s]);
      }
      for (let s = 0; s < row.length; s++) total += row[s] = Math.exp(row[s] - largest);
      for (let s = 0; s < row.length; s++) {
        row[s] /= total;
        for (let c = 0, i = (s * groups + group) * width; c < width; c++) output[from + c] += row[s] * v[i + c];
      }
    }
    maps.push(map);
  }
  return [output, maps];
}

/** One layer's keys and values, in memory reserved once: `add` puts new rows behind the old ones and returns all of them. */
class LayerCache {
  constructor(size) { this.keys = new Float32Array(size); this.values = new Float32Array(size); this.filled = 0; }

  add(k, v) {
    if (this.filled + k.length > this.keys.length) throw new Error("the cache is full");
    this.keys.set(k, this.filled);
    this.values.set(v, this.filled);
    this.filled += k.length;
    return [this.keys.subarray(0, this.filled), this.values.subarray(0, this.filled)];
  }
}

class Model {
  constructor(config, weights) { this.config = config; this.weights = weights; this.width = config.d_model / config.n_heads; }

  /** The linear map of this name, with its bias where it has one. */
  apply(name, x) { return linear(x, this.weights[`${name}.weight`], this.weights[`${name}.bias`]); }
}

/** Decoder only: rotary positions, RMS norm first, SwiGLU. */
export class Llama extends Model {
  /** What the model keeps of a text; give it to `forward` again with the tokens that follow. */
  begin() {
    const { n_layers, n_kv_heads, max_len } = this.config;
    return { length: 0, layers: Array.from({ length: n_layers }, () => new LayerCache(max_len * n_kv_heads * this.width)) };
  }

  /** Read new tokens. Returns logits (T, V), and maps[layer][head] (T, S) of attention weights. */
  forward(ids, kept = this.begin()) {
    const { n_layers, n_heads, n_kv_heads, rotary_base, eps } = this.config, start = kept.length, maps = [];
    let x = rowsOf(this.weights["embedding.weight"], ids);
    for (let number = 0; number < n_layers; number++) {
      const layer = `layers.${number}`, normed = rmsNorm(x, this.weights[`${layer}.attention_norm.weight`], eps);
      const q = rotate(this.apply(`${layer}.attention.q_proj`, normed), n_heads, this.width, start, rotary_base);
      const k = rotate(this.apply(`${layer}.attention.k_proj`, normed), n_kv_heads, this.width, start, rotary_base);
      const all = kept.layers[number].add(k, this.apply(`${layer}.attention.v_proj`, normed));
      const [found, map] = attend(q, ...all, n_heads, n_kv_heads, this.width, t => start + t + 1);
      x = sum(x, this.apply(`${layer}.attention.o_proj`, found));
      const again = rmsNorm(x, this.weights[`${layer}.feed_forward_norm.weight`], eps);
      const inner = swiglu(this.apply(`${layer}.feed_forward.gate_proj`, again), this.apply(`${layer}.feed_forward.up_proj`, again));
      x = sum(x, this.apply(`${layer}.feed_forward.down_proj`, inner));
      maps.push(map);
    }
    kept.length += ids.length;
    const head = this.weights["head.weight"] || this.weights["embedding.weight"];
    return { logits: linear(rmsNorm(x, this.weights["norm.weight"], eps), head), maps };
  }
}

/** Encoder and decoder of 2017: sinusoidal positions, norm after each branch, ReLU. */
export class Seq2Seq extends Model {
  embed(name, ids, start) {
    const { d_model } = this.config, x = rowsOf(this.weights[name] || this.weights["target_embedding.weight"], ids, Math.sqrt(d_model));
    for (let i = 0; i < x.length; i++) {
      const column = i % d_model, angle = (start + Math.floor(i / d_model)) * 10000 ** (-(column - column % 2) / d_model);
      x[i] += column % 2 ? Math.cos(angle) : Math.sin(angle);
    }
    return x;
  }

  /** x + branch, then the norm of this name. */
  join(name, x, branch) { return layerNorm(sum(x, branch), this.weights[`${name}_norm.weight`], this.weights[`${name}_norm.bias`]); }

  attention(name, x, k, v, seen) {
    const { n_heads } = this.config;
    const [found, map] = attend(this.apply(`${name}.q_proj`, x), k, v, n_heads, n_heads, this.width, seen);
    return [this.apply(`${name}.o_proj`, found), map];
  }

  feedForward(name, x) { return this.apply(`${name}.down_proj`, relu(this.apply(`${name}.up_proj`, x))); }

  keysAndValues(name, x) { return [this.apply(`${name}.k_proj`, x), this.apply(`${name}.v_proj`, x)]; }

  /** Read the source; what the decoder needs of it, and keeps of its own text, is returned for `forward`. */
  begin(source) {
    const { n_layers, d_model, max_len } = this.config, numbers = [...Array(n_layers).keys()];
    let x = this.embed("source_embedding.weight", source, 0);
    for (const number of numbers) {
      const name = `encoder.${number}`, [branch] = this.attention(`${name}.attention`, x, ...this.keysAndValues(`${name}.attention`, x), () => source.length);
      x = this.join(`${name}.attention`, x, branch);
      x = this.join(`${name}.feed_forward`, x, this.feedForward(`${name}.feed_forward`, x));
    }
    return {
      length: 0, source: source.length, memory: x, layers: numbers.map(() => new LayerCache(max_len * d_model)),
      cross: numbers.map(number => this.keysAndValues(`decoder.${number}.cross_attention`, x)),
    };
  }

  /** Read new target tokens. Returns logits (T, V), maps[layer][head] (T, target so far) and cross[layer][head] (T, source). */
  forward(ids, kept) {
    const start = kept.length, maps = [], cross = [];
    let x = this.embed("target_embedding.weight", ids, start);
    for (let number = 0; number < this.config.n_layers; number++) {
      const name = `decoder.${number}`, own = kept.layers[number].add(...this.keysAndValues(`${name}.attention`, x));
      const [branch, map] = this.attention(`${name}.attention`, x, ...own, t => start + t + 1);
      x = this.join(`${name}.attention`, x, branch);
      const [fromSource, look] = this.attention(`${name}.cross_attention`, x, ...kept.cross[number], () => kept.source);
      x = this.join(`${name}.cross_attention`, x, fromSource);
      x = this.join(`${name}.feed_forward`, x, this.feedForward(`${name}.feed_forward`, x));
      maps.push(map);
      cross.push(look);
    }
    kept.length += ids.length;
    return { logits: linear(x, this.weights["target_embedding.weight"]), maps, cross };
  }
}

/** Every character is a token. */
export class CharTokenizer {
  constructor({ tokens, specials, unknown }) {
    this.tokens = tokens;
    this.specials = new Set(specials);
    this.ids = new Map(tokens.map((token, id) => [token, id]));
    this.unknown = unknown === null ? null : this.ids.get(unknown);
    for (const special of specials) this.ids.delete(special);
  }

  /** [ids, characters that the model does not know]: these become `unknown`, or are left out where there is none. */
  encode(text) {
    const strange = [...text].filter(character => !this.ids.has(character));
    return [[...text].map(character => this.ids.get(character) ?? this.unknown).filter(id => id !== null), [...new Set(strange)]];
  }

  decode(ids) { return ids.map(id => this.tokens[id]).filter(token => !this.specials.has(token)).join(""); }
}

/** Logits to probabilities: temperature (0: the best alone), then the topK best, then the fewest that reach topP; see filter_logits. */
export function probabilities(logits, { temperature = 1, topK = 0, topP = 1 } = {}) {
  const order = [...logits.keys()].sort((a, b) => logits[b] - logits[a] || a - b);
  const kept = temperature === 0 ? 1 : topK > 0 ? Math.min(topK, order.length) : order.length;
  const shares = order.slice(0, kept).map(id => Math.exp((logits[id] - logits[order[0]]) / (temperature || 1)));
  const p = new Float64Array(logits.length);
  let before = 0;
  const total = shares.reduce((a, b) => a + b);
  shares.forEach((share, place) => {
    if (place === 0 || temperature === 0 || topP >= 1 || before / total < topP) p[order[place]] = share;
    before += share;
  });
  const left = p.reduce((a, b) => a + b);
  return p.map(value => value / left);
}

/** Draw an id by chance: the first whose probabilities, added up, exceed a random number in [0, 1). */
export function pick(p, random = Math.random()) {
  let total = 0, last = 0;
  for (let id = 0; id < p.length; id++) {
    if (p[id] === 0) continue;
    total += p[id];
    last = id;
    if (random < total) break;
  }
  return last;
}

/** A file of allyouneed/export.py, as { model, tokenizers }. */
export function parse(buffer) {
  const start = 4 + new DataView(buffer).getUint32(0, true), weights = {};
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, start - 4)));
  for (const [name, { shape: [rows, cols], at }] of Object.entries(header.tensors)) {
    const first = new Float32Array(buffer, start + at, rows);
    weights[name] = cols === undefined ? first : { rows, cols, scales: first, ints: new Int8Array(buffer, start + at + 4 * rows, rows * cols) };
  }
  const model = new { Llama, Seq2Seq }[header.model](header.config, weights);
  return { model, tokenizers: Object.fromEntries(Object.entries(header.tokenizers).map(([name, told]) => [name, new CharTokenizer(told)])) };
}

/** Fetch and parse such a file. */
export async function load(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return parse(await answer.arrayBuffer());
}
