// Steps through a match by the keyboard: it follows the links that the page has anyway.
const KEYS = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" };

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea, select");
  const link = KEYS[event.key] && document.querySelector(`.steps a[rel=${KEYS[event.key]}]`);
  if (!link || typing || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  link.click();
});
