import { grid_size, zone_modules } from '@campus/publishing/contract'
import type { BoardPreview, ShownZone, TemplateZone } from '@campus/publishing/contract'
import type { ReactNode } from 'react'

const words: Readonly<Record<string, string>> = zone_modules
const percent = (part: number) => `${(part / grid_size) * 100}%`
const textOf = (body: ShownZone['body'], name: string) => (typeof body?.[name] === 'string' ? body[name] : '')

/** What a board shows, drawn as it lies on its screen. */
export function ScreenView({ preview }: { preview: BoardPreview }): ReactNode {
  const { urgent, full, ticker, shown, zones, orientation } = preview
  const covering = urgent ?? full
  return (
    <div
      className="brd-screen"
      style={{ aspectRatio: orientation === 2 ? '9 / 16' : '16 / 9', maxWidth: orientation === 2 ? 320 : undefined }}
      role="img"
      aria-label="屏幕内容"
    >
      {covering ? (
        <Zone zone={{ x: 0, y: 0, w: grid_size, h: grid_size }} kind={urgent ? 'urgent' : 'full'} shown={covering} preview={preview} />
      ) : (
        zones.map(zone => {
          const own = shown.find(one => one.zone === zone.zone)
          return own && <Zone key={zone.zone} zone={zone} kind="zone" shown={own} preview={preview} />
        })
      )}
      {ticker && urgent === null && (
        <Zone zone={{ x: 0, y: grid_size - 2, w: grid_size, h: 2 }} kind="ticker" shown={ticker} preview={preview} />
      )}
    </div>
  )
}

type ZoneProps = { zone: Pick<TemplateZone, 'x' | 'y' | 'w' | 'h'>; kind: string; shown: ShownZone; preview: BoardPreview }

function Zone({ zone: { x, y, w, h }, kind, shown, preview }: ZoneProps): ReactNode {
  return (
    <div
      className="brd-zone"
      data-kind={kind}
      style={{ left: percent(x), top: percent(y), width: percent(w), height: percent(h) }}
      title={shown.why}
    >
      <Inside shown={shown} preview={preview} />
    </div>
  )
}

function Inside({
  shown: { body, frame, module, title, content_title },
  preview: { urls, at, class_name },
}: Pick<ZoneProps, 'shown' | 'preview'>): ReactNode {
  if (body === null) return module === 'title' && class_name !== null ? class_name : <span>{words[module] ?? title}</span>
  if (body['kind'] === 'files') return <Picture body={body} frame={frame} urls={urls} title={content_title ?? ''} />
  if (body['kind'] === 'countdown') return <Countdown body={body} day={at.slice(0, 10)} />
  if (body['kind'] === 'notice') return <span>{textOf(body, 'title')}</span>
  if (body['kind'] === 'module') return <span>{words[textOf(body, 'module')] ?? content_title}</span>
  return <span>{textOf(body, 'text') || content_title}</span>
}

function Picture({
  body,
  frame,
  urls,
  title,
}: {
  body: NonNullable<ShownZone['body']>
  frame: number
  urls: Readonly<Record<string, string>>
  title: string
}): ReactNode {
  const files: unknown = body['files']
  const file: unknown = Array.isArray(files) ? files[frame] : null
  const sha256 = typeof file === 'object' && file !== null && 'sha256' in file ? String(file.sha256) : ''
  const is_picture = typeof file === 'object' && file !== null && 'mime' in file && String(file.mime).startsWith('image/')
  const address = urls[sha256]
  if (address === undefined || !is_picture) return <span>{title}</span>
  return <img src={address} alt={title} />
}

function Countdown({ body, day }: { body: NonNullable<ShownZone['body']>; day: string }): ReactNode {
  const days: unknown = body['days']
  const left: unknown = typeof days === 'object' && days !== null ? Object.entries(days).find(([one]) => one === day)?.[1] : undefined
  return (
    <div>
      {textOf(body, 'title')}
      <div className="brd-count">{left === 0 ? textOf(body, 'done_text') || '今天' : `${String(left ?? '')}天`}</div>
    </div>
  )
}
