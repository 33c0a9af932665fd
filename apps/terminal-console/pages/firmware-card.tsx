import { firmwareFault } from '@kit/terminal-protocol/console'
import type { DeviceInfo, FirmwareDone } from '@kit/terminal-protocol/console'
import { useCallback, useState } from 'react'
import type { ReactNode } from 'react'
import { Field } from '../form/fields.tsx'
import { ask, Refused, send } from '../shell/ask.ts'
import { Button, Card, Fact, Question } from '../shell/parts.tsx'
import { useWatched } from '../shell/use-work.ts'
import { faultText, useWords } from '../words/words.ts'
import type { Key } from '../words/words.ts'

type Stage = { kind: 'idle' } | { kind: 'asked' } | { kind: 'sending'; percent: number } | { kind: 'failed'; why: string } | { kind: 'done'; versions: FirmwareDone }

/** Another firmware; while it is written the power must stay. */
export function FirmwareCard({ onRestart }: { onRestart: (said: Key) => void }): ReactNode {
  const { t } = useWords()
  const fetchIt = useCallback(() => ask<DeviceInfo>('GET', 'info'), [])
  const { data } = useWatched(fetchIt)
  const [file, setFile] = useState<File>()
  const [stage, setStage] = useState<Stage>({ kind: 'idle' })
  const wrong = file && firmwareFault(file.name)
  const upgrade = async (chosen: File) => {
    setStage({ kind: 'sending', percent: 0 })
    try {
      const versions = await send<FirmwareDone>(`firmware?name=${encodeURIComponent(chosen.name)}`, chosen, percent => setStage({ kind: 'sending', percent }))
      setStage({ kind: 'done', versions })
      onRestart('fw.done')
    } catch (cause) {
      const [fault] = cause instanceof Refused ? cause.faults : []
      setStage({ kind: 'failed', why: fault ? faultText(t, fault) : t('say.offline') })
    }
  }
  return (
    <Card title={t('fw.title')}>
      {data && <dl><Fact name={t('fw.system')}>{data.firmware}</Fact><Fact name={t('fw.app')}>{data.app_version}</Fact></dl>}
      <Field label={t('fw.pick')} fault={wrong && t(`fault.${wrong}`)} hint={t('fw.hint')}>
        {tied => (
          <input
            {...tied}
            type="file"
            disabled={stage.kind === 'sending'}
            onChange={event => {
              setFile(event.target.files?.[0])
              setStage({ kind: 'idle' })
            }}
          />
        )}
      </Field>
      <p className="warning">{t('fw.warning')}</p>
      <div aria-live="polite">
        {stage.kind === 'sending' && <p className="bar"><span>{t('fw.progress', { p: stage.percent })}</span><progress max={100} value={stage.percent} aria-label={t('fw.title')} /></p>}
        {stage.kind === 'failed' && <p className="fault">{t('fw.failed', { r: stage.why })}</p>}
        {stage.kind === 'done' && <p>{`${t('fw.done')} ${t('fw.versions', { before: stage.versions.before, after: stage.versions.after })}`}</p>}
      </div>
      <div className="buttons"><Button kind="first" disabled={!file || wrong !== undefined || stage.kind === 'sending'} onClick={() => setStage({ kind: 'asked' })}>{t('fw.start')}</Button></div>
      {stage.kind === 'asked' && file && <Question text={t('fw.warning')} yes={t('fw.start')} onNo={() => setStage({ kind: 'idle' })} onYes={() => void upgrade(file)} />}
    </Card>
  )
}
