import type { Debug, SettingsAnswer } from '@kit/terminal-protocol/console'
import { card_inputs, card_orders, card_truncations, writeCard } from '@kit/terminal-protocol/card'
import { useCallback } from 'react'
import type { ReactNode } from 'react'
import { ChoiceField } from '../form/fields.tsx'
import { SaveButton } from '../form/save-button.tsx'
import { useGroup } from '../form/use-group.ts'
import { ask } from '../shell/ask.ts'
import { Card } from '../shell/parts.tsx'
import { useWatched } from '../shell/use-work.ts'
import { useWords } from '../words/words.ts'

const every_ms = 2000
const sample_uid = '04A1B2C3D4E5F6'

/** How the reader writes a card's number, with the last card as it would be written. */
export function ReaderCard({ answer, onSaved }: { answer: SettingsAnswer; onSaved: (answer: SettingsAnswer) => void }): ReactNode {
  const { t } = useWords()
  const form = useGroup('reader', answer, onSaved)
  const fetchIt = useCallback(() => ask<Debug>('GET', 'debug'), [])
  const last = useWatched(fetchIt, every_ms).data?.capture.card?.uid
  const uid = last ?? sample_uid
  const format = {
    input: card_inputs.find(one => one === form.value('reader.format')) ?? 'hex', byte_order: card_orders.find(one => one === form.value('reader.byte_order')) ?? 'as_is',
    truncation: card_truncations.find(one => one === form.value('reader.truncation')) ?? 'none', pad: true, upper: true,
  } as const
  return (
    <Card title={t('adv.reader')}>
      <ChoiceField form={form} of="reader.format" />
      <ChoiceField form={form} of="reader.byte_order" />
      <ChoiceField form={form} of="reader.truncation" />
      <p className="sample"><span className="note">{t(last === undefined ? 'reader.sample' : 'reader.last')}</span><span>{t('reader.sample_of', { uid })}</span><output>{writeCard(uid, format)}</output></p>
      <SaveButton form={form} />
    </Card>
  )
}
