import type { SettingsAnswer } from '@kit/terminal-protocol/console'
import type { ReactNode } from 'react'
import { useGroup } from '../form/use-group.ts'
import { RowsField } from '../form/rows-field.tsx'
import { SaveButton } from '../form/save-button.tsx'
import { Away, Card, Waiting } from '../shell/parts.tsx'
import { useWords } from '../words/words.ts'
import { BrokerCard } from './broker-card.tsx'
import { NetworkCard } from './network-card.tsx'
import { useSettings } from './use-settings.ts'

const most_mappings = 10

/** How the terminal reaches the school, and how it is reached. */
export function OnlinePage(): ReactNode {
  const { answer, is_away, again, keep } = useSettings()
  if (!answer) return is_away ? <Away onAgain={again} /> : <Waiting />
  return (
    <div className="cards cards-two">
      <BrokerCard answer={answer} onSaved={keep} />
      <NetworkCard answer={answer} onSaved={keep} onAgain={again} />
      <MappingCard answer={answer} onSaved={keep} />
    </div>
  )
}

function MappingCard({ answer, onSaved }: { answer: SettingsAnswer; onSaved: (answer: SettingsAnswer) => void }): ReactNode {
  const { t } = useWords()
  const form = useGroup('net', answer, onSaved, { names: ['mappings'] })
  return (
    <Card title={t('map.title')} note={t('map.hint')}>
      <RowsField form={form} of="net.mappings" most={most_mappings} first="" name="map.row" renderRow={({ label, value, onChange, is_wrong }) => <input aria-label={label} aria-invalid={is_wrong} spellCheck={false} value={value} onChange={event => onChange(event.target.value.trim())} />} />
      <SaveButton form={form} />
    </Card>
  )
}
