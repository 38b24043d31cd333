// Keeps each answer on the server at once, one after the other; what could not be sent waits in this browser.
"use strict";
const time = document.getElementById("time"), kept = document.getElementById("kept");
const STORE = `defence waiting ${time.dataset.whose}`;  // another student may sit here next
let until = performance.now() + 1000 * Number(time.dataset.left);  // by a clock that nobody sets
let sending = false, asking = false, ended = false, leaving = false, waiting = {};
try { waiting = JSON.parse(localStorage.getItem(STORE) || "{}"); } catch { /* it is a spare, see store */ }

function store() {  // for a page that is loaded again; where it is full or forbidden, answers are sent all the same
  try {
    localStorage.removeItem(STORE);  // an older one, which must not come back
    localStorage.setItem(STORE, JSON.stringify(waiting));
  } catch { /* as said */ }
}

function usable(yes) {
  for (const part of document.querySelectorAll("fieldset, #end button")) part.disabled = !yes;
}

function put(question, answer) {
  waiting[question] = {question, ...answer};
  store();
  send();
}

async function send() {
  const question = Object.keys(waiting)[0];
  if (sending || ended || question === undefined) return;
  sending = true;
  const item = waiting[question];
  try {
    const reply = await fetch("/answer", {method: "POST", body: JSON.stringify(item)});
    if (reply.status === 410) return over();
    if (reply.status === 409) return stop((await reply.json()).why);
    if (!reply.ok && reply.status !== 400) throw new Error(reply.status);
    if (waiting[question] === item) delete waiting[question];
    store();
    if (reply.ok) {
      const said = await reply.json();
      until = performance.now() + 1000 * said.left;
      kept.textContent = !said.kept ? "Your instructor has entered another answer: it stands."
        : Object.keys(waiting).length ? "Keeping …" : `Answer ${item.question + 1} is kept.`;
    }
    sending = false;
    if (leaving && !Object.keys(waiting).length) return leave();
    send();
  } catch {
    kept.textContent = "Not kept yet: the server does not answer. It is tried again; leave this page open.";
    sending = false;
    setTimeout(send, 1000);
  }
}

function leave() {
  ended = true;
  document.getElementById("end").submit();
}

function over() {
  ended = true;
  waiting = {};
  store();
  location.reload();
}

function stop(why) {
  ended = true;
  usable(false);
  kept.textContent = why;
}

for (const field of document.querySelectorAll("fieldset")) {
  const question = Number(field.dataset.question);
  let later;
  for (const choice of field.querySelectorAll("input")) {
    choice.addEventListener("change", () => put(question, {choice: Number(choice.value)}));
    const own = waiting[question];
    if (own && own.choice === Number(choice.value)) choice.checked = true;
  }
  for (const text of field.querySelectorAll("textarea")) {
    if (waiting[question]) text.value = waiting[question].words;
    const now = () => put(question, {words: text.value});
    text.addEventListener("input", () => { clearTimeout(later); later = setTimeout(now, 500); });
    text.addEventListener("change", () => { clearTimeout(later); now(); });
  }
}

document.getElementById("end").addEventListener("submit", event => {
  if (Object.keys(waiting).length) {
    event.preventDefault();
    leaving = true;  // the click ends what was being written, so that one answer is often on its way
    kept.textContent = "Handed in as soon as your last answer is kept …";
    send();
  }
});

async function ask() {  // the server says how much time is left: this machine may have slept, or time was given back
  if (asking || ended || Object.keys(waiting).length) return;
  asking = true;
  try {
    const reply = await fetch("/left");
    if (reply.status === 410) return over();
    const {left} = await reply.json();
    until = performance.now() + 1000 * left;
    if (left <= 0 && !ended && !Object.keys(waiting).length) leave();
  } catch { /* it is asked again */ } finally {
    asking = false;
  }
}

function tick() {
  const left = Math.max(0, Math.ceil((until - performance.now()) / 1000));
  time.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")} left`;
  if (left === 0) ask();
}
kept.textContent = "";
usable(true);
setInterval(tick, 500);
setInterval(ask, 30000);
tick();
send();
