// Keeps each answer on the server at once, one after the other; what could not be sent waits in this browser.
"use strict";
const time = document.getElementById("time"), kept = document.getElementById("kept");
const STORE = `defence waiting ${time.dataset.whose}`;  // another student may sit here next
let until = Date.now() + 1000 * Number(time.dataset.left), sending = false, ended = false, leaving = false;
let waiting = JSON.parse(localStorage.getItem(STORE) || "{}");

function put(question, answer) {
  waiting[question] = {question, ...answer};
  localStorage.setItem(STORE, JSON.stringify(waiting));
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
    if (!reply.ok && reply.status !== 400) throw new Error(reply.status);
    if (waiting[question] === item) delete waiting[question];
    localStorage.setItem(STORE, JSON.stringify(waiting));
    if (reply.ok) {
      const said = await reply.json();
      until = Date.now() + 1000 * said.left;
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
  localStorage.removeItem(STORE);
  location.reload();
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

function tick() {
  const left = Math.max(0, Math.ceil((until - Date.now()) / 1000));
  time.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")} left`;
  if (left === 0 && !ended && !Object.keys(waiting).length) leave();
}
setInterval(tick, 500);
tick();
send();
