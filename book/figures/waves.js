// The library's angles of positions (allyouneed/nn/positions.py): sinusoidal rows, their similarity, and rotary turns.

/** θ_j = base^(−2j/width), in radians a token. */
export const frequencies = (width, base) => Array.from({ length: width / 2 }, (_, j) => base ** (-2 * j / width));

/** The row of a place: sine and cosine of each frequency, side by side. */
export const encoding = (place, width, base) => frequencies(width, base).flatMap(theta => [Math.sin(place * theta), Math.cos(place * theta)]);

/** The dot product of two rows whose places are `distance` apart, divided by that of a row with itself. */
export const similarity = (distance, width, base) =>
  frequencies(width, base).reduce((sum, theta) => sum + Math.cos(distance * theta), 0) / (width / 2);

/** Move a row on by `offset` places: turn each pair (sine, cosine), whatever its place is. */
export const moved = (row, offset, base) => frequencies(row.length, base).flatMap((theta, j) => {
  const sine = Math.sin(offset * theta), cosine = Math.cos(offset * theta);
  return [cosine * row[2 * j] + sine * row[2 * j + 1], cosine * row[2 * j + 1] - sine * row[2 * j]];
});

/** Rotary: turn each pair (x_2j, x_2j+1) counterclockwise by place · θ_j. */
export const rotary = (vector, place, base) => frequencies(vector.length, base).flatMap((theta, j) => {
  const sine = Math.sin(place * theta), cosine = Math.cos(place * theta);
  return [cosine * vector[2 * j] - sine * vector[2 * j + 1], sine * vector[2 * j] + cosine * vector[2 * j + 1]];
});

/** What each pair adds to the score of a query and a key at their places. */
export function contributions(query, key, from, to, base) {
  const q = rotary(query, from, base), k = rotary(key, to, base);
  return Array.from({ length: q.length / 2 }, (_, j) => q[2 * j] * k[2 * j] + q[2 * j + 1] * k[2 * j + 1]);
}
