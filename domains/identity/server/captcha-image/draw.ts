import { encodePng } from './png.ts'
import { dotOf, sign_height, sign_width } from './signs.ts'

const width = 120
const height = 40
const cell = 28
const margin = 4
const dot_size = 4.3

type Random = () => number
type Wave = { size: number; length: number; phase: number }
type Placed = { sign: string; x: number; y: number; cos: number; sin: number; size: number }

/** Draws the signs of a captcha as a PNG of 120 × 40: each turned and moved, all bent by two waves, under lines and specks. */
export function drawCaptcha(answer: string, random: Random = Math.random): Buffer {
  const between = (low: number, high: number) => low + (high - low) * random()
  const placed = [...answer].map((sign, at): Placed => {
    const angle = between(-0.3, 0.3)
    const x = margin + cell * (at + 0.5) + between(-2, 2)
    return { sign, x, y: height / 2 + between(-3, 3), cos: Math.cos(angle), sin: Math.sin(angle), size: dot_size * between(0.88, 1.08) }
  })
  const bend: Wave = { size: between(1.2, 2.4), length: between(12, 20), phase: between(0, 6) }
  const sway: Wave = { size: between(1, 2.2), length: between(7, 12), phase: between(0, 6) }
  const lines = [0, 1].map((): Wave & { y: number } => ({ size: between(3, 9), length: between(14, 30), phase: between(0, 6), y: between(8, height - 8) }))
  const pixels = new Uint8Array(width * height)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const ink = Math.max(inkOfSigns(placed, x + waveAt(sway, y), y + waveAt(bend, x)), inkOfLines(lines, x, y) * 0.55)
      const paper = 236 + 19 * random()
      const grey = paper * (1 - ink) + (40 + 50 * random()) * ink
      pixels[y * width + x] = random() < 0.02 ? grey * 0.55 : grey
    }
  }
  return encodePng(width, height, pixels)
}

function waveAt({ size, length, phase }: Wave, at: number): number {
  return size * Math.sin(at / length + phase)
}

function inkOfLines(lines: readonly (Wave & { y: number })[], x: number, y: number): number {
  return Math.max(...lines.map(line => soft(1.3 - Math.abs(y - line.y - waveAt(line, x)))))
}

function inkOfSigns(placed: readonly Placed[], x: number, y: number): number {
  return Math.max(...placed.map(sign => inkOfSign(sign, x, y)))
}

/** Turns the point back into the grid of the sign and reads the four dots around it. */
function inkOfSign({ sign, x, y, cos, sin, size }: Placed, at_x: number, at_y: number): number {
  const [dx, dy] = [(at_x - x) / size, (at_y - y) / size]
  const u = dx * cos + dy * sin + sign_width / 2 - 0.5
  const v = dy * cos - dx * sin + sign_height / 2 - 0.5
  const [left, top] = [Math.floor(u), Math.floor(v)]
  const [across, down] = [u - left, v - top]
  const upper = dotOf(sign, left, top) * (1 - across) + dotOf(sign, left + 1, top) * across
  const lower = dotOf(sign, left, top + 1) * (1 - across) + dotOf(sign, left + 1, top + 1) * across
  return soft((upper * (1 - down) + lower * down - 0.3) * 3)
}

function soft(value: number): number {
  return Math.min(1, Math.max(0, value))
}
