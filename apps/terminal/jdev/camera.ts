import { createHash } from 'node:crypto'
import sharp from 'sharp'

/** A camera below a gateway: its number, and whether the gateway sees it. */
export type ChildCamera = { sn: string; state: 'online' | 'offline' | 'fault' }

const [width, height] = [960, 540]
const second_ms = 1000
const coats = ['#2f6fb5', '#b5483a', '#3c8d5a', '#8a5fa8', '#c48a2c', '#4a4f57'] as const
/** How long somebody takes to cross the picture, in seconds. */
const [fastest_s, slowest_s] = [11, 27] as const

/** What a virtual camera sees at a moment: a drawn place with people who go about, never a photograph. The same camera always sees the same place. */
export async function drawCamera(sn: string, now: Date): Promise<Buffer> {
  const seed = createHash('sha256').update(sn).digest()
  const scene = scenes[(seed[0] ?? 0) % scenes.length] ?? corridor
  const people = Array.from({ length: 3 + ((seed[1] ?? 0) % 5) }, (_, nth) => walker(seed, nth, now))
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${scene()}${people.toSorted((a, b) => a.y - b.y).map(drawPerson).join('')}${shade(now)}</svg>`
  return sharp(Buffer.from(svg)).jpeg({ quality: 72 }).toBuffer()
}

type Person = { x: number; y: number; size: number; coat: string; step: number }

function walker(seed: Buffer, nth: number, now: Date): Person {
  const [pace, line, coat, phase] = [seed[nth + 2] ?? 0, seed[nth + 10] ?? 0, seed[nth + 18] ?? 0, seed[nth + 24] ?? 0]
  const crossing_s = fastest_s + (pace % (slowest_s - fastest_s))
  const gone = ((now.getTime() / second_ms) / crossing_s + phase / 255) % 1
  const depth = line / 255
  return { x: (pace % 2 === 0 ? gone : 1 - gone) * (width + 120) - 60, y: 300 + depth * 200, size: 0.55 + depth * 0.75, coat: coats[coat % coats.length] ?? coats[0], step: Math.sin((now.getTime() / second_ms) * 6 + phase) }
}

function drawPerson({ x, y, size, coat, step }: Person): string {
  return `<g transform="translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${size.toFixed(2)})"><ellipse cx="0" cy="4" rx="30" ry="8" fill="#0003"/><path d="M-9 -40L${(-9 + step * 12).toFixed(1)} 0M9 -40L${(9 - step * 12).toFixed(1)} 0" stroke="#30343a" stroke-width="12" stroke-linecap="round"/><rect x="-20" y="-98" width="40" height="64" rx="16" fill="${coat}"/><circle cx="0" cy="-118" r="17" fill="#d9b99b"/></g>`
}

/** By night it is dark. */
function shade(now: Date): string {
  const hour = (now.getUTCHours() + 8) % 24
  const dark = hour >= 7 && hour < 18 ? 0 : hour === 6 || hour === 18 ? 0.25 : 0.5
  return `<rect width="${width}" height="${height}" fill="#0a1530" opacity="${dark}"/>`
}

const floor = (colour: string) => `<rect y="280" width="${width}" height="260" fill="${colour}"/>`
const corridor = () => `<rect width="${width}" height="${height}" fill="#e9e4da"/>${floor('#c9c3b6')}<path d="M0 540L360 240H600L960 540Z" fill="#d8d2c5"/><rect x="360" y="120" width="240" height="120" fill="#bcd6e6"/>${[60, 190, 680, 810].map(x => `<rect x="${x}" y="150" width="84" height="190" fill="#9c7a54"/><rect x="${x + 62}" y="240" width="8" height="18" fill="#e7d9b0"/>`).join('')}`
const yard = () => `<rect width="${width}" height="280" fill="#bfe0f5"/>${floor('#b9b6ad')}<rect x="90" y="90" width="330" height="190" fill="#dcc7b0"/>${[120, 200, 280, 350].map(x => `<rect x="${x}" y="120" width="44" height="56" fill="#7ea4bd"/>`).join('')}<rect x="560" y="180" width="18" height="110" fill="#7c5a3c"/><circle cx="569" cy="150" r="70" fill="#6c9f5c"/><path d="M0 400H960" stroke="#fff" stroke-width="6" stroke-dasharray="40 26"/>`
const classroom = () => `<rect width="${width}" height="${height}" fill="#f0ebdf"/>${floor('#d5c8ae')}<rect x="250" y="70" width="460" height="160" fill="#2d5b4a"/>${[0, 1, 2].flatMap(row => [0, 1, 2, 3].map(col => `<rect x="${120 + col * 200 - row * 16}" y="${310 + row * 66}" width="${110 + row * 14}" height="22" fill="#b98a55"/>`)).join('')}`
const gate = () => `<rect width="${width}" height="280" fill="#cfe6f2"/>${floor('#a9adb1')}<rect x="120" y="110" width="60" height="230" fill="#8d3c34"/><rect x="780" y="110" width="60" height="230" fill="#8d3c34"/><rect x="120" y="80" width="720" height="46" fill="#a94a40"/>${[300, 440, 580].map(x => `<rect x="${x}" y="300" width="60" height="70" rx="8" fill="#5f6872"/><rect x="${x + 60}" y="322" width="60" height="8" fill="#d64545"/>`).join('')}`
const scenes = [corridor, classroom, yard, gate] as const
