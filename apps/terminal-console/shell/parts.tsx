import { useEffect, useId, useRef } from 'react'
import type { ReactNode } from 'react'
import { useWords } from '../words/words.ts'

/** A card with its heading. */
export function Card({ title, note, children, wide = false }: { title: string; note?: string; children: ReactNode; wide?: boolean }): ReactNode {
  const id = useId()
  return (
    <section className={wide ? 'card card-wide' : 'card'} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
      {note !== undefined && <p className="note">{note}</p>}
    </section>
  )
}

/** A line of facts. */
export function Fact({ name, children }: { name: string; children: ReactNode }): ReactNode {
  return <div className="fact"><dt>{name}</dt><dd>{children}</dd></div>
}

/** A state by its colour and its word. */
export function Tag({ kind, children }: { kind: 'good' | 'bad' | 'wait' | 'past'; children: ReactNode }): ReactNode {
  return <span className={`tag tag-${kind}`}>{children}</span>
}

export function Button({ kind = 'plain', children, ...rest }: { kind?: 'first' | 'plain' | 'danger'; children: ReactNode; onClick?: () => void; disabled?: boolean; type?: 'button' | 'submit' }): ReactNode {
  return <button type="button" {...rest} className={`button button-${kind}`}>{children}</button>
}

type AskedProps = { text: string; children?: ReactNode; yes?: string; no?: string; is_danger?: boolean; onYes: () => void; onNo: () => void }

/** A question that is answered before anything else goes on; Esc says no. */
export function Question({ text, children, yes, no, is_danger = false, onYes, onNo }: AskedProps): ReactNode {
  const { t } = useWords()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog
      ref={dialog}
      aria-label={text}
      onCancel={event => {
        event.preventDefault()
        onNo()
      }}
    >
      <p>{text}</p>
      {children}
      <div className="buttons">
        <Button onClick={onNo}>{no ?? t('do.cancel')}</Button>
        <Button kind={is_danger ? 'danger' : 'first'} onClick={onYes}>{yes ?? t('do.confirm')}</Button>
      </div>
    </dialog>
  )
}

/** That the device does not answer, and another try. */
export function Away({ onAgain }: { onAgain: () => void }): ReactNode {
  const { t } = useWords()
  return <div className="away" role="alert"><p>{t('say.offline')}</p><Button onClick={onAgain}>{t('app.retry')}</Button></div>
}

/** That something is on its way. */
export function Waiting(): ReactNode {
  const { t } = useWords()
  return <p className="waiting" role="status">{t('app.loading')}</p>
}
