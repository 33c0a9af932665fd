import { dayAt } from '@campus/publishing/contract'
import type { BoardPlan, PlanFile, Screen, Shown } from '@campus/publishing/contract'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import type { Player } from './player.ts'

/** What draws PDFs is large: it comes with the first of them. */
const DocumentPages = lazy(() => import('./document.tsx').then(part => ({ default: part.DocumentPages })))
const grid = 24
const percent = (part: number) => `${(part / grid) * 100}%`
const meal_names: Readonly<Record<string, string>> = { 1: '早餐', 2: '课间加餐', 3: '午餐', 4: '午点', 5: '晚餐', 6: '夜宵' }
const weekdays = ['星期日', '星期一', '星期二', '星期三', '星期四', '星期五', '星期六']
const zone_ms = 8 * 3_600_000
type Box = { x: number; y: number; w: number; h: number }
const whole: Box = { x: 0, y: 0, w: grid, h: grid }
const foot: Box = { x: 0, y: grid - 2, w: grid, h: 2 }
type Given = { player: Player; plan: BoardPlan; at: number }

/** The screen at an instant: what covers everything, or the zones of the template with the ticker over them. */
export function ScreenPage({ player, plan, screen, at }: Given & { screen: Screen }): ReactNode {
  const { urgent, full, ticker, zones } = screen
  const covering = urgent ?? full
  const given = { player, plan, at }
  return (
    <main className="screen" data-plan={plan.board.device_id}>
      {covering ? (
        <Zone {...given} box={whole} kind={urgent ? 'urgent' : 'full'} shown={covering} />
      ) : (
        plan.template.zones.map(zone => {
          const shown = zones.find(one => one.zone === zone.zone)
          return shown && <Zone key={zone.zone} {...given} box={zone} kind="zone" shown={shown} />
        })
      )}
      {ticker && !urgent && <Zone {...given} box={foot} kind="ticker" shown={ticker} />}
    </main>
  )
}

function Zone({ box: { x, y, w, h }, kind, shown, ...given }: Given & { box: Box; kind: string; shown: Shown }): ReactNode {
  return (
    <section
      className="zone"
      data-kind={kind}
      data-zone={shown.zone}
      data-content={shown.item?.content_id}
      style={{ left: percent(x), top: percent(y), width: percent(w), height: percent(h) }}
    >
      <Inside {...given} shown={shown} />
    </section>
  )
}

function Inside({ shown: { item, frame, module }, player, plan, at }: Given & { shown: Shown }): ReactNode {
  if (item === null) return <Module module={module} plan={plan} at={at} />
  const { body, title } = item
  if (body.kind === 'text') return <p className="words">{body.text}</p>
  if (body.kind === 'notice')
    return (
      <div className="notice">
        <h2>{body.title}</h2>
        <p>{body.text}</p>
      </div>
    )
  if (body.kind === 'module') return <Module module={body.module} plan={plan} at={at} />
  if (body.kind === 'countdown') return <Countdown title={body.title} left={body.days[dayAt(at)] ?? null} done_text={body.done_text} />
  const file = body.files[frame]
  const is_silent = item.mute_in_lesson && (plan.modules.lessons[dayAt(at)] ?? []).some(lesson => at >= lesson.begin && at < lesson.end)
  if (file?.mime === 'application/pdf')
    return (
      <Suspense fallback={<p className="words">{title}</p>}>
        <DocumentPages key={file.sha256} player={player} sha256={file.sha256} seconds={item.seconds} title={title} />
      </Suspense>
    )
  return file ? <Picture player={player} file={file} title={title} is_silent={is_silent} /> : <p className="words">{title}</p>
}

function Countdown({ title, left, done_text }: { title: string; left: number | null; done_text: string }): ReactNode {
  if (left === null) return <p className="words">{title}</p>
  return (
    <div className="countdown">
      <span>{left === 0 ? title : `距${title}`}</span>
      {left === 0 ? (
        <b>{done_text || '今天'}</b>
      ) : (
        <b>
          {left}
          <small>天</small>
        </b>
      )}
    </div>
  )
}

/** The address of a file in the store; the picture before stays until the next one is decoded, so that nothing is ever black. */
function Picture({ player, file, title, is_silent }: { player: Player; file: PlanFile; title: string; is_silent: boolean }): ReactNode {
  const [ready, setReady] = useState<{ sha256: string; url: string; is_video: boolean } | null>(null)
  useEffect(() => {
    let is_over = false
    const load = async () => {
      const blob = await player.file(file.sha256)
      if (!blob) return
      const url = URL.createObjectURL(blob)
      const is_video = file.mime.startsWith('video/')
      if (!is_video) {
        const picture = new Image()
        picture.src = url
        await picture.decode().catch(() => undefined)
      }
      if (is_over) URL.revokeObjectURL(url)
      else
        setReady(before => {
          if (before) URL.revokeObjectURL(before.url)
          return { sha256: file.sha256, url, is_video }
        })
    }
    void load()
    return () => {
      is_over = true
    }
  }, [player, file.sha256, file.mime])
  if (!ready) return <p className="words">{title}</p>
  return ready.is_video ? (
    <video src={ready.url} autoPlay loop muted={is_silent} playsInline>
      <track kind="captions" />
    </video>
  ) : (
    <img src={ready.url} alt={title} data-sha256={ready.sha256} />
  )
}

function Module({ module, plan, at }: { module: string; plan: BoardPlan; at: number }): ReactNode {
  const { board, modules } = plan
  const day = dayAt(at)
  if (module === 'clock') return <Clock at={at} />
  if (module === 'timetable') return <Timetable plan={plan} at={at} />
  if (module === 'honour') return <List title="班级荣誉" lines={modules.honours} empty="继续加油" />
  if (module === 'menu')
    return (
      <List
        title="今日食谱"
        lines={(modules.meals[day] ?? []).map(meal => `${meal_names[meal.meal_kind] ?? ''}：${meal.dishes.join('、')}`)}
        empty="今日没有食谱"
      />
    )
  if (module === 'notice') return <List title="通知" lines={[]} empty="暂无通知" />
  return <p className="words">{board.class_name ?? (board.place_name || board.device_name)}</p>
}

function Clock({ at }: { at: number }): ReactNode {
  const here = new Date(at + zone_ms).toISOString()
  return (
    <div className="clock">
      <b>{here.slice(11, 16)}</b>
      <span>
        {here.slice(5, 10).replace('-', '月')}日 {weekdays[new Date(at + zone_ms).getUTCDay()]}
      </span>
    </div>
  )
}

function Timetable({ plan: { modules }, at }: { plan: BoardPlan; at: number }): ReactNode {
  const lessons = modules.lessons[dayAt(at)] ?? []
  if (lessons.length === 0) return <p className="words">今日没有课程</p>
  return (
    <ol className="timetable">
      {lessons.map(({ begin, end, name, subject }) => (
        <li key={`${begin} ${name}`} data-now={at >= begin && at < end ? '1' : '0'}>
          <span>{name}</span>
          <b>{subject}</b>
        </li>
      ))}
    </ol>
  )
}

function List({ title, lines, empty }: { title: string; lines: readonly string[]; empty: string }): ReactNode {
  return (
    <div className="list">
      <h2>{title}</h2>
      {lines.length === 0 ? <p>{empty}</p> : lines.map(line => <p key={line}>{line}</p>)}
    </div>
  )
}
