import { crc32, deflateSync } from 'node:zlib'

type Colour = readonly [red: number, green: number, blue: number]
const [width, height, floor_y] = [480, 270, 150] as const
const wall: Colour = [214, 219, 226]
const floor: Colour = [168, 160, 148]
const skin: Colour = [233, 190, 158]
const alert: Colour = [207, 19, 34]
const coats: readonly Colour[] = [[41, 98, 171], [176, 74, 58], [62, 128, 86], [120, 84, 150], [196, 142, 40]]
/** How many people the drawing of a kind has: strangers and climbers are alone, crowds are not. */
const people: Readonly<Record<string, number>> = { 3: 9, 4: 2, 8: 0 }
const picture_signs = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** What a box would have seen, drawn and never photographed: a room, people without faces, a frame around what matters. A function of kind and number. */
export function drawScene(kind: string, n: number): Buffer {
  const canvas = new Canvas()
  canvas.box(0, 0, width, floor_y, wall)
  canvas.box(0, floor_y, width, height - floor_y, floor)
  for (let at = 0; at < 4; at += 1) canvas.box(30 + at * 118, 30, 66, 54, [240, 244, 250])
  const count = people[kind] ?? 1
  for (let at = 0; at < count; at += 1) drawPerson(canvas, 90 + ((n * 53 + at * 71) % 300), 150 + ((n * 29 + at * 37) % 50), kind === '6', coats[(n + at) % coats.length] ?? wall)
  if (kind === '8') for (let at = 0; at < 6; at += 1) canvas.disc(240 + at * 9 - (n % 30), 200 - at * 16, 18 - at * 2, at < 2 ? [233, 120, 32] : [150, 150, 150])
  if (kind === '7') canvas.disc(250, 120, 8, [190, 190, 190])
  canvas.frame(64, 92, 352, 166, alert)
  return canvas.png()
}

function drawPerson(canvas: Canvas, x: number, y: number, is_lying: boolean, coat: Colour): void {
  if (is_lying) {
    canvas.box(x, y + 44, 70, 24, coat)
    canvas.disc(x - 12, y + 56, 13, skin)
    return
  }
  canvas.box(x - 14, y, 28, 46, coat)
  canvas.box(x - 12, y + 46, 9, 34, [60, 60, 70])
  canvas.box(x + 3, y + 46, 9, 34, [60, 60, 70])
  canvas.disc(x, y - 14, 13, skin)
}

/** Pixels of three bytes, row by row, each row after the byte that says how it is filtered (0: not). */
class Canvas {
  readonly #row = width * 3 + 1
  readonly #bytes = Buffer.alloc(this.#row * height)

  box(x: number, y: number, wide: number, high: number, colour: Colour): void {
    for (let at = y; at < y + high; at += 1) for (let over = x; over < x + wide; over += 1) this.#dot(over, at, colour)
  }

  disc(x: number, y: number, radius: number, colour: Colour): void {
    for (let at = -radius; at <= radius; at += 1) for (let over = -radius; over <= radius; over += 1) if (at * at + over * over <= radius * radius) this.#dot(x + over, y + at, colour)
  }

  frame(x: number, y: number, wide: number, high: number, colour: Colour): void {
    const line = 3
    this.box(x, y, wide, line, colour)
    this.box(x, y + high - line, wide, line, colour)
    this.box(x, y, line, high, colour)
    this.box(x + wide - line, y, line, high, colour)
  }

  /** The picture as a PNG. */
  png(): Buffer {
    const head = Buffer.alloc(13)
    head.writeUInt32BE(width, 0)
    head.writeUInt32BE(height, 4)
    // eight bits a colour, three colours, no interlacing
    head.set([8, 2, 0, 0, 0], 8)
    return Buffer.concat([picture_signs, chunk('IHDR', head), chunk('IDAT', deflateSync(this.#bytes)), chunk('IEND', Buffer.alloc(0))])
  }

  #dot(x: number, y: number, colour: Colour): void {
    if (x < 0 || y < 0 || x >= width || y >= height) return
    this.#bytes.set(colour, y * this.#row + 1 + x * 3)
  }
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
