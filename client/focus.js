// The focus, for who plays by keys: where it goes when what had it is gone, and letters that play.
import { useEffect, useLayoutEffect, useRef } from "./html.js";
import { setting } from "./settings.js";

/** When something inside `root` had the focus and is there no more, choose() gets it. */
export function useFocusKept(root, choose) {
  const had = useRef(false);
  useEffect(() => {
    const note = ({ target }) => (had.current = root.current?.contains(target) ?? false);
    document.addEventListener("focusin", note);
    return () => document.removeEventListener("focusin", note);
  }, []);
  useLayoutEffect(() => {
    if (had.current && document.activeElement === document.body) choose()?.focus();
  });
}

/** `keys`: {d: () => ...}. They count where nothing is typed; letters can be switched off. */
export function useKeys(keys) {
  useLayoutEffect(() => {
    const pressed = (event) => {
      const typing = event.target.closest?.("input, select, textarea, dialog");
      if (typing || event.ctrlKey || event.metaKey || event.altKey || (event.key.length === 1 && !setting("keys"))) return;
      keys[event.key.toLowerCase()]?.();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  });
}

/** Whether an arrow may lead into it: nothing beside it has the focus, and no replay has its keys. */
export const playing = (element) => document.activeElement.contains(element) && !element.closest(".replay");

/** A press anywhere else shuts what is open in `root`: a phone has no Escape. */
export function usePressOutside(root, shut) {
  useEffect(() => {
    const pressed = ({ target }) => root.current?.open && !root.current.contains(target) && shut();
    document.addEventListener("pointerdown", pressed);
    return () => document.removeEventListener("pointerdown", pressed);
  }, []);
}
