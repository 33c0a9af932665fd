/** A whole-day event; `to` excluded. */
export type IcsEvent = { uid: string; title: string; from: string; to: string }

const longest_line = 70

/** The text of a calendar (RFC 5545): whole-day events, lines folded by bytes. */
export function icsText(events: readonly IcsEvent[], now: Date): string {
  const stamp = now.toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const lines = events.flatMap(({ uid, title, from, to }) => [
    'BEGIN:VEVENT', `UID:${uid}@campus`, `DTSTAMP:${stamp}`, `DTSTART;VALUE=DATE:${from.replaceAll('-', '')}`, `DTEND;VALUE=DATE:${to.replaceAll('-', '')}`, `SUMMARY:${escaped(title)}`, 'END:VEVENT',
  ])
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//smart-campus//calendar//CN', 'X-WR-CALNAME:校历', ...lines, 'END:VCALENDAR'].map(folded).join('\r\n').concat('\r\n')
}

function escaped(text: string): string {
  return text.replaceAll(/[\\;,]/g, sign => `\\${sign}`).replaceAll('\n', String.raw`\n`)
}

/** Lines are at most 75 bytes; the rest goes on behind a blank. */
function folded(line: string): string {
  const parts: string[] = []
  let part = ''
  for (const sign of line) {
    if (Buffer.byteLength(part + sign) > longest_line) {
      parts.push(part)
      part = ''
    }
    part += sign
  }
  return [...parts, part].join('\r\n ')
}
