import type { Chart } from './org-chart.ts'

const around = 32
const head = 56
const sharp = 2
/** What browsers draw at most: a side, and all in all. */
const longest = 16_000
const most_points = 100_000_000

/** Saves the whole chart as a PNG with title and day, however much of it is in view. @returns whether it was made */
export async function savePicture(drawing: SVGSVGElement, { width, height }: Chart, title: string, day: string): Promise<boolean> {
  const [w, h] = [width + 2 * around, height + head + 2 * around]
  const scale = Math.min(sharp, longest / w, longest / h, Math.sqrt(most_points / (w * h)))
  const blob = await drawn(sheetOf(drawing, { w, h, title, day }), Math.round(w * scale), Math.round(h * scale))
  if (blob) download(blob, `${title}${day}.png`)
  return blob !== null
}

/** The chart on a white sheet, as a drawing of its own. */
function sheetOf(drawing: SVGSVGElement, { w, h, title, day }: { w: number; h: number; title: string; day: string }): string {
  const sheet = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  const part = (name: string, facts: Record<string, string | number>, text = '') => {
    const made = document.createElementNS('http://www.w3.org/2000/svg', name)
    for (const [key, value] of Object.entries(facts)) made.setAttribute(key, String(value))
    made.textContent = text
    sheet.append(made)
    return made
  }
  for (const [key, value] of Object.entries({ width: w, height: h, viewBox: `0 0 ${w} ${h}` })) sheet.setAttribute(key, String(value))
  const letters = drawing.querySelector('[font-family]')?.getAttribute('font-family') ?? 'sans-serif'
  part('rect', { width: w, height: h, fill: '#ffffff' })
  part('text', { x: around, y: around + 22, 'font-size': 20, 'font-weight': 600, fill: '#1f2329', 'font-family': letters }, title)
  part('text', { x: w - around, y: around + 22, 'font-size': 14, 'text-anchor': 'end', fill: '#595959', 'font-family': letters }, day)
  part('g', { transform: `translate(${around} ${around + head})` }).append(...[...drawing.childNodes].map(child => child.cloneNode(true)))
  return new XMLSerializer().serializeToString(sheet)
}

async function drawn(sheet: string, width: number, height: number): Promise<Blob | null> {
  const address = URL.createObjectURL(new Blob([sheet], { type: 'image/svg+xml' }))
  try {
    const picture = new Image()
    picture.src = address
    await picture.decode()
    const canvas = document.createElement('canvas')
    Object.assign(canvas, { width, height })
    canvas.getContext('2d')?.drawImage(picture, 0, 0, width, height)
    return await new Promise<Blob | null>(resolve => canvas.toBlob(resolve, 'image/png'))
  } catch {
    return null
  } finally {
    URL.revokeObjectURL(address)
  }
}

function download(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  window.setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
