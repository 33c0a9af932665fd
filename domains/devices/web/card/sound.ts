const [good_hz, bad_hz, seconds, loud] = [880, 220, 0.12, 0.08]

/** A short tone: high for who may pass, low for who may not. Silent where the browser has no sound. */
export function playTone(is_good: boolean): void {
  const audio = new AudioContext()
  const tone = audio.createOscillator()
  const volume = audio.createGain()
  tone.frequency.value = is_good ? good_hz : bad_hz
  volume.gain.value = loud
  tone.connect(volume).connect(audio.destination)
  tone.start()
  tone.stop(audio.currentTime + seconds)
  tone.addEventListener('ended', () => void audio.close())
}
