/** A room of a floor, and where it lies on the drawing, in its units. */
export type Room = { place_kind: number; x: number; y: number; width: number; height: number; /** above the corridor */ is_above: boolean }
export type Point = { x: number; y: number }

/** A floor as it is drawn: rooms on both sides of a corridor, stairs at both ends. */
export const floor_size = { width: 1600, height: 720 } as const
export const campus_size = { width: 1600, height: 1000 } as const
const [edge, stairs, corridor_top, corridor_bottom] = [30, 110, 300, 420] as const
const [wide, usual, narrow] = [3, 2, 1.4] as const
const wall = '#5b6675'
const kinds = { office: 7, toilet: 23, water: 24 } as const
const fills: Readonly<Record<number, string>> = { 4: '#fdf6e3', 5: '#fdf6e3', 6: '#e9f3ea', 7: '#eef2f8', 8: '#eef2f8', 19: '#e9f3ea', [kinds.toilet]: '#f1eef6', [kinds.water]: '#e6f3f8' }

/** Where rooms lie: the first half above the corridor from left to right, the others below it. */
export function layRooms(place_kinds: readonly number[]): Room[] {
  const half = Math.ceil(place_kinds.length / 2)
  return [layRow(place_kinds.slice(0, half), true), layRow(place_kinds.slice(half), false)].flat()
}

function layRow(place_kinds: readonly number[], is_above: boolean): Room[] {
  const whole = place_kinds.reduce((sum, kind) => sum + shareOf(kind), 0)
  const unit = (floor_size.width - 2 * (edge + stairs)) / Math.max(1, whole)
  let x: number = edge + stairs
  return place_kinds.map(place_kind => {
    const width = shareOf(place_kind) * unit
    const room = { place_kind, x, y: is_above ? edge : corridor_bottom, width, height: is_above ? corridor_top - edge : floor_size.height - edge - corridor_bottom, is_above }
    x += width
    return room
  })
}

function shareOf(place_kind: number): number {
  return place_kind === kinds.toilet || place_kind === kinds.water ? narrow : place_kind === kinds.office ? usual : wide
}

/** A point of a room as parts of the drawing; `across` from its left wall, `deep` from its door to the wall opposite. */
export function pointIn({ x, y, width, height, is_above }: Room, { across, deep }: { across: number; deep: number }): Point {
  return { x: (x + across * width) / floor_size.width, y: (is_above ? y + (1 - deep) * height : y + deep * height) / floor_size.height }
}

/** A point of the corridor, from the stairs at the left to those at the right. */
export function pointOfCorridor(along: number): Point {
  return { x: (edge + stairs + along * (floor_size.width - 2 * (edge + stairs))) / floor_size.width, y: (corridor_top + corridor_bottom) / 2 / floor_size.height }
}

/** The drawing of a floor, without words: names stand at the pins. */
export function drawFloor(rooms: readonly Room[]): string {
  const { width, height } = floor_size
  const ends = [edge, width - edge - stairs].map(x => drawStairs(x))
  return svg(floor_size, `<rect width="${width}" height="${height}" fill="#f7f8fa"/><rect x="${edge}" y="${edge}" width="${width - 2 * edge}" height="${height - 2 * edge}" fill="#fff" stroke="${wall}" stroke-width="6"/>
    <rect x="${edge + 3}" y="${corridor_top}" width="${width - 2 * edge - 6}" height="${corridor_bottom - corridor_top}" fill="#f4f1ea"/>${ends.join('')}${rooms.map(drawRoom).join('')}`)
}

function drawRoom(room: Room): string {
  const { x, y, width, height, is_above, place_kind } = room
  const [door, door_y] = [x + width - 58, is_above ? corridor_top : corridor_bottom]
  const swing = is_above ? `M${door} ${door_y}v-40a40 40 0 0 1 40 40z` : `M${door} ${door_y}v40a40 40 0 0 0 40 -40z`
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fills[place_kind] ?? '#f2f4f7'}" stroke="${wall}" stroke-width="4"/>${drawDesks(room)}
    <path d="M${door} ${door_y}h40" stroke="#f4f1ea" stroke-width="7"/><path d="${swing}" fill="none" stroke="${wall}" stroke-width="2"/>`
}

/** Desks in rows with a blackboard, or cubicles. */
function drawDesks({ x, y, width, height, place_kind, is_above }: Room): string {
  const is_wet = place_kind === kinds.toilet || place_kind === kinds.water
  const [columns, rows] = is_wet ? [3, 1] : place_kind === kinds.office ? [2, 2] : [4, 4]
  const [top, deep] = [is_above ? y + 70 : y + 84, height - 160]
  const [step_x, step_y] = [(width - 60) / columns, deep / rows]
  const desks = Array.from({ length: columns * rows }, (_, n) => `<rect x="${x + 30 + (n % columns) * step_x}" y="${top + Math.floor(n / columns) * step_y}" width="${step_x * 0.6}" height="${Math.min(step_y * 0.5, is_wet ? 60 : 22)}" rx="3" fill="none" stroke="#b9c2cf" stroke-width="2"/>`)
  return desks.join('')
}

function drawStairs(x: number): string {
  const steps = Array.from({ length: 12 }, (_, n) => `<path d="M${x + 8} ${edge + 20 + n * 20}h${stairs - 16}" stroke="#b9c2cf" stroke-width="2"/>`)
  return `<rect x="${x}" y="${edge}" width="${stairs}" height="${corridor_top - edge}" fill="#fbfbfc" stroke="${wall}" stroke-width="4"/>${steps.join('')}<rect x="${x}" y="${corridor_bottom}" width="${stairs}" height="${floor_size.height - edge - corridor_bottom}" fill="#fbfbfc" stroke="${wall}" stroke-width="4"/>`
}

/** The drawing of the campus with its buildings, a sports field and the roads between its gates. */
export function drawCampus(buildings: readonly Point[]): string {
  const { width, height } = campus_size
  const blocks = buildings.map(({ x, y }) => `<rect x="${x - 110}" y="${y - 46}" width="220" height="92" rx="6" fill="#fff" stroke="${wall}" stroke-width="4"/><path d="M${x - 110} ${y}h220" stroke="#d5dae2" stroke-width="3"/>`)
  return svg(campus_size, `<rect width="${width}" height="${height}" fill="#eef4ea"/><rect x="20" y="20" width="${width - 40}" height="${height - 40}" fill="none" stroke="${wall}" stroke-width="6"/>${trees()}
    <path d="M800 20V${height - 20}M20 560H${width - 20}" stroke="#e3e0d8" stroke-width="56"/><path d="M300 320H1300" stroke="#e3e0d8" stroke-width="36"/>
    <rect x="110" y="690" width="430" height="230" rx="115" fill="#d98b6a"/><rect x="160" y="735" width="330" height="140" rx="70" fill="#7fb06b"/>${blocks.join('')}`)
}

function trees(): string {
  return Array.from({ length: 40 }, (_, n) => `<circle cx="${70 + ((n * 373) % 1460)}" cy="${70 + ((n * 197) % 860)}" r="${12 + (n % 3) * 4}" fill="#a9cf9b"/>`).join('')
}

function svg({ width, height }: { width: number; height: number }, inside: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${inside}</svg>`
}
