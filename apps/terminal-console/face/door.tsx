import type { DoorState } from '@kit/terminal-protocol/console'
import type { ReactNode } from 'react'
import { useWords } from '../words/words.ts'
import type { Key } from '../words/words.ts'

/** The picture of the door: shut, or open as long as the relay or the door itself says so. */
export function Door({ door }: { door: DoorState }): ReactNode {
  const { t } = useWords()
  const is_open = door.relay || door.open || door.fire
  const say: Key = door.fire ? 'door.fire' : door.relay ? 'door.relay' : door.open ? 'door.open' : 'door.closed'
  return (
    <figure className="door" data-open={is_open}>
      <svg viewBox="0 0 120 160" role="img" aria-label={t('screen.door')}>
        <rect x="14" y="6" width="92" height="150" className="door-frame" />
        <path d={is_open ? 'M20 12 L52 26 L52 154 L20 150 Z' : 'M20 12 L100 12 L100 150 L20 150 Z'} className="door-leaf" />
        <circle cx={is_open ? 46 : 90} cy="86" r="4" className="door-knob" />
      </svg>
      <figcaption>{t(say)}</figcaption>
    </figure>
  )
}
