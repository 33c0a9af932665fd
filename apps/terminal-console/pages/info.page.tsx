import type { DeviceInfo } from '@kit/terminal-protocol/console'
import { useCallback } from 'react'
import type { ReactNode } from 'react'
import { ask } from '../shell/ask.ts'
import { dateTimeOf, megabytes } from '../shell/format.ts'
import { Away, Button, Card, Fact, Waiting } from '../shell/parts.tsx'
import { say } from '../shell/toast.tsx'
import { useWatched } from '../shell/use-work.ts'
import { useWords } from '../words/words.ts'
import type { Translate } from '../words/words.ts'

const [every_ms, minute_s, hour_s, day_s] = [10_000, 60, 3600, 86_400]

/** What the terminal is, to be read out on the telephone or copied into a message. */
export function InfoPage(): ReactNode {
  const { t } = useWords()
  const fetchIt = useCallback(() => ask<DeviceInfo>('GET', 'info'), [])
  const { data, is_away, again } = useWatched(fetchIt, every_ms)
  if (!data) return is_away ? <Away onAgain={again} /> : <Waiting />
  const facts = factsOf(data, t)
  const copy = async () => {
    await copyText(facts.map(([name, value]) => `${name}\t${value}`).join('\n'))
    say(t('say.copied'))
  }
  return (
    <div className="cards cards-two">
      <Card title={t('info.device')}>
        <dl>{facts.map(([name, value]) => <Fact key={name} name={name}>{value}</Fact>)}</dl>
        <div className="buttons"><Button onClick={() => void copy()}>{t('do.copy')}</Button></div>
      </Card>
      <Card title={t('info.licences')}>
        <table>
          <thead><tr><th>{t('info.library')}</th><th>{t('info.version')}</th><th>{t('info.licence')}</th></tr></thead>
          <tbody>{data.licences.map(({ name, version, licence }) => <tr key={name}><td>{name}</td><td>{version}</td><td>{licence}</td></tr>)}</tbody>
        </table>
      </Card>
    </div>
  )
}

function factsOf(info: DeviceInfo, t: Translate): [name: string, value: string][] {
  const { uptime_s, capacity } = info
  const uptime = t('info.uptime_value', { d: Math.floor(uptime_s / day_s), h: Math.floor((uptime_s % day_s) / hour_s), m: Math.floor((uptime_s % hour_s) / minute_s) })
  return [
    [t('info.sn'), info.sn], [t('info.model'), info.model], [t('fw.system'), info.firmware], [t('fw.app'), info.app_version], [t('info.mac'), info.mac], [t('info.started'), dateTimeOf(info.started_at)], [t('info.uptime'), uptime],
    [t('info.power'), t(info.battery ? 'info.battery' : 'info.mains')], [t('info.storage'), t('info.storage_value', { free: megabytes(info.disk_free_mb), total: megabytes(info.disk_total_mb) })],
    [`${t('info.limits')} · ${t('dash.persons')}`, String(capacity.persons)], [`${t('info.limits')} · ${t('dash.cards')}`, String(capacity.cards)], [`${t('info.limits')} · ${t('dash.faces')}`, String(capacity.faces)], [`${t('info.limits')} · ${t('info.records')}`, String(info.records_limit)],
  ]
}

/** A terminal in the LAN speaks plain HTTP, where a browser has no clipboard for scripts: then the text is selected and copied as by hand. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const box = document.createElement('textarea')
  box.value = text
  document.body.append(box)
  box.select()
  document.execCommand('copy')
  box.remove()
}
