// Short sounds made on the spot, no files. Off until a player switches them on.
import { setting } from "./settings.js";

const SOUNDS = {
  card: [[190, 0, 0.05, "triangle"]],
  turn: [[523, 0, 0.09, "sine"], [659, 0.09, 0.14, "sine"]],
  refused: [[150, 0, 0.16, "sawtooth"]],
  over: [[523, 0, 0.12, "sine"], [659, 0.12, 0.12, "sine"], [784, 0.24, 0.3, "sine"]],
};
let audio = null;

export function sound(name) {
  if (!setting("sounds") || !window.AudioContext) return;
  audio ??= new AudioContext();
  for (const [pitch, after, length, type] of SOUNDS[name]) {
    const start = audio.currentTime + after;
    const tone = new OscillatorNode(audio, { frequency: pitch, type });
    const volume = new GainNode(audio, { gain: 0 });
    volume.gain.setValueAtTime(0.12, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + length);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + length);
  }
}
