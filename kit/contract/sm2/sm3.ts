const IV = [0x7380166f, 0x4914b2b9, 0x172442d7, 0xda8a0600, 0xa96f30bc, 0x163138aa, 0xe38dee4d, 0xb0fb0e4e]
const BLOCK = 64

/** SM3 digest (GB/T 32905-2016), 32 bytes. */
export function sm3(message: Uint8Array): Uint8Array {
  const padded = pad(message)
  let state = IV
  for (let at = 0; at < padded.byteLength; at += BLOCK) state = compress(state, new DataView(padded.buffer, at, BLOCK))
  const digest = new DataView(new ArrayBuffer(32))
  state.forEach((word, i) => digest.setUint32(i * 4, word))
  return new Uint8Array(digest.buffer)
}

function pad(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array(Math.ceil((message.length + 9) / BLOCK) * BLOCK)
  padded.set(message)
  padded[message.length] = 0x80
  new DataView(padded.buffer).setUint32(padded.length - 4, message.length * 8)
  return padded
}

function compress(state: number[], block: DataView): number[] {
  const w = expand(block)
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let j = 0; j < 64; j++) {
    const early = j < 16
    const ss1 = rotl(rotl(a, 12) + e + rotl(early ? 0x79cc4519 : 0x7a879d8a, j), 7)
    const ff = early ? a ^ b ^ c : (a & b) | (a & c) | (b & c)
    const gg = early ? e ^ f ^ g : (e & f) | (~e & g)
    const wj = w[j] ?? 0
    const tt1 = (ff + d + (ss1 ^ rotl(a, 12)) + (wj ^ (w[j + 4] ?? 0))) | 0
    const tt2 = (gg + h + ss1 + wj) | 0
    ;[d, c, b, a] = [c, rotl(b, 9), a, tt1]
    ;[h, g, f, e] = [g, rotl(f, 19), e, p0(tt2)]
  }
  return [a, b, c, d, e, f, g, h].map((word, i) => word ^ (state[i] ?? 0))
}

function expand(block: DataView): number[] {
  const w = Array.from({ length: 16 }, (_, i) => block.getInt32(i * 4))
  for (let j = 16; j < 68; j++) {
    const at = (back: number) => w[j - back] ?? 0
    const x = at(16) ^ at(9) ^ rotl(at(3), 15)
    w.push(x ^ rotl(x, 15) ^ rotl(x, 23) ^ rotl(at(13), 7) ^ at(6))
  }
  return w
}

function p0(x: number): number {
  return x ^ rotl(x, 9) ^ rotl(x, 17)
}

function rotl(x: number, bits: number): number {
  return (x << (bits & 31)) | (x >>> (32 - (bits & 31) & 31))
}
