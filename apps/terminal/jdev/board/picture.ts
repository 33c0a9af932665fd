import { createHash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

/** What is to be seen on a board: which plan it plays, its files that are ready, what is urgent, how bright it is. */
export type Seen = { plan: string | null; files: readonly string[]; urgent: boolean; brightness: number; at: Date }

const [width, height, rgb] = [480, 270, 3]
const dark: Colour = [12, 12, 16]
const [red, white]: [Colour, Colour] = [[207, 19, 34], [255, 255, 255]]
type Colour = readonly [number, number, number]
/** Lit parts of a digit: top, upper left, upper right, middle, lower left, lower right, bottom. */
const digits = ['1110111', '0010010', '1011101', '1011011', '0111010', '1101011', '1101111', '1010010', '1111111', '1111011']

/** Draws what a board shows, as a PNG: a head in the colour of its plan with the time, a tile for each file that is ready, a red band for an urgent word. */
export function drawBoard({ plan, files, urgent, brightness, at }: Seen): Buffer {
  const pixels = Buffer.alloc(width * height * rgb)
  const fill = (x: number, y: number, wide: number, high: number, colour: Colour) => {
    for (let row = Math.max(0, y); row < Math.min(height, y + high); row += 1) for (let column = Math.max(0, x); column < Math.min(width, x + wide); column += 1) pixels.set(colour.map(part => Math.round((part * brightness) / 100)), (row * width + column) * rgb)
  }
  fill(0, 0, width, height, dark)
  fill(0, 0, width, 48, plan === null ? dark : colourOf(plan))
  drawTime(at, (x, y, wide, high) => fill(x, y, wide, high, white))
  files.forEach((file, nth) => fill(16 + (nth % 6) * 76, 64 + Math.floor(nth / 6) * 60, 64, 48, colourOf(file)))
  if (urgent) fill(0, height - 40, width, 40, red)
  return png(pixels)
}

function colourOf(text: string): Colour {
  const [r = 0, g = 0, b = 0] = createHash('sha256').update(text).digest()
  return [64 + (r >> 1), 64 + (g >> 1), 64 + (b >> 1)]
}

function drawTime(at: Date, fill: (x: number, y: number, wide: number, high: number) => void): void {
  const text = new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(11, 16).replace(':', '')
  ;[...text].forEach((digit, nth) => drawDigit(digits[Number(digit)] ?? '', width - 120 + nth * 24 + (nth > 1 ? 8 : 0), fill))
}

function drawDigit(lit: string, x: number, fill: (x: number, y: number, wide: number, high: number) => void): void {
  const parts = [[2, 8, 12, 3], [0, 10, 3, 13], [13, 10, 3, 13], [2, 22, 12, 3], [0, 24, 3, 13], [13, 24, 3, 13], [2, 36, 12, 3]] as const
  parts.forEach(([left, top, wide, high], nth) => {
    if (lit[nth] === '1') fill(x + left, top, wide, high)
  })
}

/** Pixels as a PNG of eight bits a colour. */
function png(pixels: Buffer): Buffer {
  const lines = Buffer.concat(Array.from({ length: height }, (_, row) => Buffer.concat([Buffer.of(0), pixels.subarray(row * width * rgb, (row + 1) * width * rgb)])))
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2], 8)
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IHDR', head), chunk('IDAT', deflateSync(lines)), chunk('IEND', Buffer.alloc(0))])
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const [size, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  size.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([size, body, check])
}
