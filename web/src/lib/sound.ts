/**
 * Small sounds made of a few tones each. Silent until the player switches them on, and never the only sign
 * of anything.
 */
import { settings } from './settings.svelte';

export type Sound = 'tap' | 'step' | 'wash' | 'turn' | 'won' | 'lost';

/** Tones: [start s, frequency Hz, length s, loudness 0-1]. */
const sounds: Record<Sound, [number, number, number, number][]> = {
  tap: [[0, 620, 0.05, 0.15]],
  step: [
    [0, 190, 0.07, 0.3],
    [0.09, 160, 0.08, 0.25],
  ],
  wash: [
    [0, 420, 0.16, 0.12],
    [0.07, 330, 0.2, 0.12],
    [0.15, 240, 0.26, 0.12],
  ],
  turn: [
    [0, 523, 0.1, 0.14],
    [0.1, 659, 0.16, 0.14],
  ],
  won: [
    [0, 523, 0.14, 0.16],
    [0.13, 659, 0.14, 0.16],
    [0.26, 784, 0.3, 0.16],
  ],
  lost: [
    [0, 392, 0.18, 0.14],
    [0.17, 330, 0.32, 0.14],
  ],
};

let audio: AudioContext | null = null;

export function play(sound: Sound): void {
  if (!settings.sound || typeof AudioContext === 'undefined') return;
  audio ??= new AudioContext();
  void audio.resume();
  for (const [start, frequency, length, loudness] of sounds[sound]) {
    const from = audio.currentTime + start;
    const tone = audio.createOscillator();
    const gain = audio.createGain();
    tone.type = 'triangle';
    tone.frequency.setValueAtTime(frequency, from);
    gain.gain.setValueAtTime(0, from);
    gain.gain.linearRampToValueAtTime(loudness, from + 0.012);
    gain.gain.exponentialRampToValueAtTime(0.0005, from + length);
    tone.connect(gain).connect(audio.destination);
    tone.start(from);
    tone.stop(from + length + 0.02);
  }
}
