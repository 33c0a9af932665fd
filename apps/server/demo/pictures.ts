import { drawFiles, keepDrawings } from './drawings.ts'
import type { Drawing } from './drawings.ts'
import type { Work } from './school-work.ts'

const picture_count = 120
const width = 480
const height = 300
const ref_kind = 'demo.library'
const motifs = [hills, books, suns, waves, flags, leaves] as const

/** Drawings for the picture library of a demo school. */
export function drawLibrary(school_id: number): Promise<Drawing[]> {
  return drawFiles(school_id, Array.from({ length: picture_count }, (_, at) => ({ name: `${school_id}${String(at).padStart(6, '0')}.jpg`, svg: drawing(at) })))
}

/** Puts the drawings into the library. */
export function fillLibrary(work: Work, library: readonly Drawing[]): Promise<void> {
  return keepDrawings(work, 'resource', library.map((picture, at) => ({ ...picture, ref: { ref_kind, ref_id: String(at) } })))
}

/** One drawing: two colours of the day, a motif, placed by its number. */
function drawing(at: number): string {
  const hue = (at * 47) % 360
  const motif = motifs[at % motifs.length] ?? hills
  const sky = `<defs><linearGradient id="s" x2="0" y2="1"><stop stop-color="hsl(${hue},70%,82%)"/><stop offset="1" stop-color="hsl(${(hue + 40) % 360},75%,94%)"/></linearGradient></defs>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${sky}<rect width="100%" height="100%" fill="url(#s)"/>${motif(at, hue)}</svg>`
}

const ink = (hue: number, light: number) => `hsl(${hue % 360},48%,${light}%)`
const span = (at: number, step: number, most: number) => (at * step) % most

function hills(at: number, hue: number): string {
  const top = 120 + span(at, 13, 60)
  return `<circle cx="${80 + span(at, 37, 320)}" cy="70" r="34" fill="#fff7d6"/><path d="M0 ${top}Q120 ${top - 80} 240 ${top}T480 ${top - 20}V300H0Z" fill="${ink(hue + 90, 58)}"/><path d="M0 ${top + 60}Q160 ${top} 300 ${top + 50}T480 ${top + 30}V300H0Z" fill="${ink(hue + 90, 42)}"/>`
}

function books(at: number, hue: number): string {
  const spines = Array.from({ length: 9 }, (_, n) => `<rect x="${54 + n * 42}" y="${110 - span(at + n, 17, 50)}" width="34" height="${140 + span(at + n, 17, 50)}" rx="4" fill="${ink(hue + n * 38, 55)}"/>`)
  return `${spines.join('')}<rect x="30" y="250" width="420" height="14" rx="4" fill="${ink(hue, 30)}"/>`
}

function suns(at: number, hue: number): string {
  const rings = [110, 80, 50].map((radius, n) => `<circle cx="240" cy="160" r="${radius - span(at, 7, 20)}" fill="${ink(hue + 180 + n * 20, 78 - n * 12)}"/>`)
  return rings.join('')
}

function waves(at: number, hue: number): string {
  const rows = Array.from({ length: 5 }, (_, n) => `<path d="M0 ${120 + n * 36}q60 ${-24 - span(at, 5, 18)} 120 0t120 0 120 0 120 0V300H0Z" fill="${ink(hue + 160, 74 - n * 9)}"/>`)
  return rows.join('')
}

function flags(at: number, hue: number): string {
  const row = Array.from({ length: 12 }, (_, n) => `<path d="M${n * 40} ${70 + Math.abs(n - 6) * -6 + 30}h36l-18 ${44 + span(at, 3, 12)}z" fill="${ink(hue + n * 60, 60)}"/>`)
  return `<path d="M0 62Q240 130 480 62" fill="none" stroke="${ink(hue, 35)}" stroke-width="3"/>${row.join('')}`
}

function leaves(at: number, hue: number): string {
  const all = Array.from({ length: 14 }, (_, n) => `<ellipse cx="${span(at + n * 5, 61, 460) + 10}" cy="${span(at + n * 3, 43, 280) + 10}" rx="26" ry="11" transform="rotate(${span(at + n, 53, 180)} ${span(at + n * 5, 61, 460) + 10} ${span(at + n * 3, 43, 280) + 10})" fill="${ink(hue + 80 + n * 9, 50)}"/>`)
  return all.join('')
}
