import type { SettingsAnswer } from '@kit/terminal-protocol/console'
import type { ReactNode } from 'react'
import { ChoiceField, NumberField, SwitchField } from '../form/fields.tsx'
import { RowsField } from '../form/rows-field.tsx'
import { SaveButton } from '../form/save-button.tsx'
import { useGroup } from '../form/use-group.ts'
import { Away, Card, Tag, Waiting } from '../shell/parts.tsx'
import { useWords } from '../words/words.ts'
import type { Key } from '../words/words.ts'
import { FirmwareCard } from './firmware-card.tsx'
import { ReaderCard } from './reader-card.tsx'
import { ScheduleRow } from './schedule-row.tsx'
import { useSettings } from './use-settings.ts'

type Props = { answer: SettingsAnswer; onSaved: (answer: SettingsAnswer) => void }
const most_windows = 10

/** How the terminal recognises, shows, reads and opens, and which firmware it runs. */
export function AdvancedPage({ onRestart }: { onRestart: (said?: Key) => void }): ReactNode {
  const { answer, is_away, again, keep } = useSettings()
  if (!answer) return is_away ? <Away onAgain={again} /> : <Waiting />
  return (
    <div className="cards cards-two">
      <FaceCard answer={answer} onSaved={keep} />
      <DisplayCard answer={answer} onSaved={keep} />
      <ReaderCard answer={answer} onSaved={keep} />
      <DoorCard answer={answer} onSaved={keep} />
      <FirmwareCard onRestart={onRestart} />
    </div>
  )
}

function FaceCard({ answer, onSaved }: Props): ReactNode {
  const { t } = useWords()
  const form = useGroup('face', answer, onSaved)
  return (
    <Card title={t('adv.face')}>
      <NumberField form={form} of="face.similarity" />
      <SwitchField form={form} of="face.livenessOff" />
      <NumberField form={form} of="face.livenessVal" />
      <NumberField form={form} of="face.recheck" />
      <NumberField form={form} of="face.recognitionTimeout" />
      <ChoiceField form={form} of="face.stranger" />
      <ChoiceField form={form} of="face.voiceMode" />
      <SaveButton form={form} />
    </Card>
  )
}

function DisplayCard({ answer, onSaved }: Props): ReactNode {
  const { t } = useWords()
  const form = useGroup('base', answer, onSaved)
  return (
    <Card title={t('adv.display')}>
      <NumberField form={form} of="base.brightness" />
      {form.value('base.brightness') === 0 && <p className="tags"><Tag kind="past">{t('base.off')}</Tag></p>}
      <NumberField form={form} of="base.backlight" />
      <NumberField form={form} of="base.volume" />
      <ChoiceField form={form} of="base.language" />
      <SaveButton form={form} />
    </Card>
  )
}

function DoorCard({ answer, onSaved }: Props): ReactNode {
  const { t } = useWords()
  const form = useGroup('access', answer, onSaved)
  return (
    <Card title={t('adv.door')} note={t('access.schedule_hint')}>
      <NumberField form={form} of="access.relayTime" />
      <NumberField form={form} of="access.heldOpen" />
      <SwitchField form={form} of="access.sensor" />
      <SwitchField form={form} of="access.fire" />
      <SwitchField form={form} of="access.tamper" />
      <h3>{t('access.schedule')}</h3>
      <RowsField form={form} of="access.schedule" most={most_windows} first="1 22:00-24:00" name="access.schedule_row" renderRow={row => <ScheduleRow {...row} />} />
      <SaveButton form={form} />
    </Card>
  )
}
