import type { Dashboard, DoorState } from '@kit/terminal-protocol/console'
import { useCallback } from 'react'
import type { ReactNode } from 'react'
import { ask } from '../shell/ask.ts'
import { clockOf, dateTimeOf, megabytes } from '../shell/format.ts'
import { Away, Button, Card, Fact, Tag, Waiting } from '../shell/parts.tsx'
import { say } from '../shell/toast.tsx'
import { useWatched, useWork } from '../shell/use-work.ts'
import { useWords } from '../words/words.ts'
import { resultKind, resultOf, wayOf } from './pass.ts'

const [every_ms, second_ms, most_skew_s, percent] = [2000, 1000, 2, 100]

/** How the terminal is, while one looks on. */
export function DashboardPage(): ReactNode {
  const fetchIt = useCallback(() => ask<Dashboard>('GET', 'dashboard'), [])
  const { data, is_away, again } = useWatched(fetchIt, every_ms)
  if (!data) return is_away ? <Away onAgain={again} /> : <Waiting />
  return (
    <>
      {is_away && <Away onAgain={again} />}
      <div className="cards">
        <Capacity of={data} />
        <Door door={data.door} onOpened={again} />
        <Line of={data} />
        <Health of={data} />
        <Today of={data} />
        <Passes of={data} />
      </div>
    </>
  )
}

function Capacity({ of: { counts, capacity } }: { of: Dashboard }): ReactNode {
  const { t } = useWords()
  return (
    <Card title={t('dash.capacity')}>
      {(['persons', 'cards', 'faces'] as const).map(kind => (
        <div className="bar" key={kind}>
          <span>{t(`dash.${kind}`)}</span>
          <span>{t('dash.of', { held: counts[kind], most: capacity[kind] })}</span>
          <meter min={0} max={capacity[kind]} value={counts[kind]} aria-label={t(`dash.${kind}`)} />
        </div>
      ))}
    </Card>
  )
}

function Door({ door, onOpened }: { door: DoorState; onOpened: () => void }): ReactNode {
  const { t } = useWords()
  const { is_busy, work } = useWork()
  const open = async () => {
    const refused = await work(() => ask('POST', 'door/open'))
    if (refused) return
    say(t('dash.opened'))
    onOpened()
  }
  return (
    <Card title={t('dash.door')}>
      <p className="tags">
        <Tag kind={door.open ? 'wait' : 'past'}>{t(door.open ? 'door.open' : 'door.closed')}</Tag>
        {door.relay && <Tag kind="good">{t('door.relay')}</Tag>}
        {door.fire && <Tag kind="bad">{t('door.fire')}</Tag>}
        {door.tamper && <Tag kind="bad">{t('door.tamper')}</Tag>}
      </p>
      <div className="buttons"><Button onClick={() => void open()} disabled={is_busy}>{t('dash.open_door')}</Button></div>
    </Card>
  )
}

function Line({ of: { broker, records_waiting, clock } }: { of: Dashboard }): ReactNode {
  const { t } = useWords()
  const skew_s = Math.round(clock.skew_ms / second_ms)
  return (
    <Card title={t('dash.line')}>
      <p className="tags"><Tag kind={broker.online ? 'good' : 'bad'}>{t(broker.online ? 'app.online' : 'app.offline_server')}</Tag></p>
      <dl>
        <Fact name={t('online.host')}>{broker.address}</Fact>
        <Fact name={t('dash.waiting')}>{t('dash.records', { n: records_waiting })}</Fact>
        <Fact name={t('dash.clock')}>{dateTimeOf(clock.now)}{Math.abs(skew_s) > most_skew_s && <Tag kind="bad">{t('dash.skew', { s: skew_s })}</Tag>}</Fact>
      </dl>
    </Card>
  )
}

function Health({ of: { vitals } }: { of: Dashboard }): ReactNode {
  const { t } = useWords()
  return (
    <Card title={t('dash.device')}>
      <dl>
        <Fact name={t('dash.cpu')}>{vitals.cpu}%</Fact>
        <Fact name={t('dash.mem')}>{vitals.mem}%</Fact>
        <Fact name={t('dash.temp')}>{vitals.temp === undefined ? t('dash.unknown') : `${vitals.temp} ℃`}</Fact>
        <Fact name={t('dash.disk')}>{megabytes(vitals.disk_free_mb)}</Fact>
      </dl>
    </Card>
  )
}

function Today({ of: { today } }: { of: Dashboard }): ReactNode {
  const { t } = useWords()
  const most = Math.max(1, ...today.hours)
  const sum = today.hours.reduce((all, one) => all + one, 0)
  return (
    <Card title={t('dash.today')}>
      <p>{t('dash.passes_today', { n: sum })}</p>
      <ol className="hours" aria-label={t('dash.today')}>
        {today.hours.map((n, h) => <li key={h}><span style={{ height: `${(n / most) * percent}%` }} /><span className="hidden">{t('dash.hour', { h, n })}</span></li>)}
      </ol>
      <p className="hours-axis" aria-hidden="true"><span>0</span><span>6</span><span>12</span><span>18</span><span>24</span></p>
    </Card>
  )
}

function Passes({ of: { passes } }: { of: Dashboard }): ReactNode {
  const { t } = useWords()
  return (
    <Card title={t('dash.last')}>
      {passes.length === 0 && <p className="note">{t('dash.nobody')}</p>}
      {passes.length > 0 && (
        <table>
          <thead><tr><th>{t('dash.when')}</th><th>{t('dash.who')}</th><th>{t('dash.how')}</th><th>{t('dash.result')}</th></tr></thead>
          <tbody>
            {passes.map((pass, at) => (
              <tr key={`${pass.at} ${at}`}><td>{clockOf(pass.at)}</td><td>{pass.name || t('dash.stranger')}</td><td>{t(wayOf(pass.way))}</td><td><Tag kind={resultKind(pass.result)}>{t(resultOf(pass.result))}</Tag></td></tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  )
}
