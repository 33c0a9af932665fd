const [width, height] = [640, 360] as const
const coats = ['#2f6db3', '#b3523c', '#3f8a5b', '#7a5aa0', '#c08a2a', '#4a5568'] as const

/** What a camera would have shown, drawn: a corridor or a yard, people without faces, a frame around what matters. A function of the kind and a number. */
export function drawScene(warn_kind: string, n: number): string {
  const is_night = warn_kind === '1' || warn_kind === '2'
  const [sky, ground, wall] = is_night ? ['#2b3444', '#3a4250', '#4b5566'] : ['#dfe7f1', '#b9b2a4', '#eef1f5']
  const room = `<rect width="${width}" height="${height}" fill="${sky}"/><path d="M0 210L230 150H410L640 210V360H0Z" fill="${ground}"/><path d="M0 0L230 90V150L0 210ZM640 0L410 90V150L640 210Z" fill="${wall}"/><rect x="230" y="90" width="180" height="60" fill="${is_night ? '#394252' : '#d3dbe6'}"/>`
  const doors = [60, 130, 500, 570].map((x, at) => `<rect x="${x}" y="${at % 3 === 0 ? 90 : 100}" width="34" height="86" fill="${is_night ? '#5a6475' : '#c9b79c'}"/>`).join('')
  const x = 220 + ((n * 53) % 180)
  const y = 200 + ((n * 31) % 50)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${room}${doors}${happening(warn_kind, { n, x, y })}${frameOf(warn_kind, x, y)}</svg>`
}

type Spot = { n: number; x: number; y: number }

function happening(warn_kind: string, { n, x, y }: Spot): string {
  if (warn_kind === '3') return Array.from({ length: 9 }, (_, at) => person(x - 90 + (at % 5) * 42, y - 20 + Math.floor(at / 5) * 34, n + at)).join('')
  if (warn_kind === '4') return `${person(x - 20, y, n, 18)}${person(x + 22, y, n + 2, -18)}${person(x + 120, y - 20, n + 4)}`
  if (warn_kind === '5') return `<rect x="${x - 60}" y="${y - 30}" width="190" height="100" fill="#8d7f6d"/><path d="M${x - 60} ${y - 30}h190M${x - 60} ${y}h190M${x - 60} ${y + 30}h190" stroke="#6f6252" stroke-width="2"/>${person(x + 20, y - 62, n, 40)}`
  if (warn_kind === '6') return person(x, y + 30, n, 84)
  if (warn_kind === '7') return `${person(x, y, n)}<path d="M${x + 16} ${y - 22}q10 -14 2 -26t8 -30" fill="none" stroke="#9aa3ad" stroke-width="4" opacity="0.8"/><rect x="${x + 9}" y="${y - 24}" width="10" height="3" fill="#fff"/>`
  if (warn_kind === '8') return `<rect x="${x - 70}" y="${y + 20}" width="150" height="16" fill="#7b6b58"/><path d="M${x} ${y + 20}q-26 -30 0 -64q6 26 20 30q10 18 -4 34z" fill="#e8801c"/><path d="M${x + 2} ${y + 18}q-12 -16 2 -34q8 20 4 34z" fill="#ffd54d"/><g fill="#8a929c" opacity="0.65"><circle cx="${x + 6}" cy="${y - 64}" r="20"/><circle cx="${x + 26}" cy="${y - 96}" r="26"/><circle cx="${x - 4}" cy="${y - 124}" r="22"/></g>`
  return person(x, y, n)
}

/** Somebody, with the feet at the lower edge; `lean` in degrees. */
function person(x: number, y: number, n: number, lean = 0): string {
  const coat = coats[n % coats.length] ?? coats[0]
  return `<g transform="rotate(${lean} ${x} ${y + 60})"><rect x="${x - 12}" y="${y + 24}" width="10" height="40" fill="#3c4654"/><rect x="${x + 2}" y="${y + 24}" width="10" height="40" fill="#3c4654"/><rect x="${x - 17}" y="${y - 18}" width="34" height="46" rx="8" fill="${coat}"/><circle cx="${x}" cy="${y - 32}" r="13" fill="#e3bf9d"/></g>`
}

function frameOf(warn_kind: string, x: number, y: number): string {
  const wide = warn_kind === '3' ? 240 : 150
  return `<rect x="${x - wide / 2}" y="${y - 90}" width="${wide}" height="176" fill="none" stroke="#f5222d" stroke-width="4"/>`
}
