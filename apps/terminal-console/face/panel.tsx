import type { Fault, FacePeople } from '@kit/terminal-protocol/console'
import { useCallback, useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { Field } from '../form/fields.tsx'
import { ask } from '../shell/ask.ts'
import { useFirstFocus } from '../shell/use-first-focus.ts'
import { useWatched, useWork } from '../shell/use-work.ts'
import { faultText, useWords } from '../words/words.ts'
import type { Way } from './ways.ts'

/** Who comes: somebody picked from those the terminal holds, or a number that is typed. Nobody types a face. */
export function Panel({ way, onClose, onShown }: { way: Way; onClose: () => void; onShown: () => void }): ReactNode {
  const { t } = useWords()
  const { is_busy, work } = useWork()
  const first = useFirstFocus<HTMLElement>()
  const [code, setCode] = useState('')
  const [fault, setFault] = useState<Fault>()
  const show = async (shown: { user_id: string } | { code: string }) => {
    const refused = await work(() => ask('POST', 'face/show', { way, ...shown }))
    setFault(refused?.find(one => one.key === 'code'))
    if (!refused) onShown()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (code === '') return setFault({ code: 'empty', key: 'code' })
    void show({ code })
  }
  return (
    <section ref={first} className="panel" role="dialog" aria-label={t(`way.${way}`)}>
      <header><h2>{t(`way.${way}`)}</h2><button type="button" onClick={onClose}>{t('screen.close')}</button></header>
      {way !== 'face' && (
        <form onSubmit={submit} noValidate>
          <Field label={t(`screen.code.${way}`)} fault={fault && faultText(t, fault)}>{tied => <input {...tied} autoComplete="off" spellCheck={false} value={code} onChange={event => setCode(event.target.value.trim())} />}</Field>
          <button type="submit" disabled={is_busy}>{t('screen.show')}</button>
        </form>
      )}
      <People way={way} onPick={user_id => void show({ user_id })} />
    </section>
  )
}

function People({ way, onPick }: { way: Way; onPick: (user_id: string) => void }): ReactNode {
  const { t } = useWords()
  const [keyword, setKeyword] = useState('')
  const fetchIt = useCallback(() => ask<FacePeople>('GET', `face/people?keyword=${encodeURIComponent(keyword)}`), [keyword])
  const people = useWatched(fetchIt).data?.people ?? []
  return (
    <>
      <Field label={t('screen.pick')}>{tied => <input {...tied} type="search" placeholder={t('screen.search')} value={keyword} onChange={event => setKeyword(event.target.value)} />}</Field>
      {people.length === 0 && <p>{t('screen.nobody')}</p>}
      <ul className="people">
        {people.map(({ user_id, name, no, ways }) => (
          <li key={user_id}><button type="button" onClick={() => onPick(user_id)}><span>{name}</span><small>{no}{!ways.includes(way) && ` · ${t('screen.no_such')}`}</small></button></li>
        ))}
      </ul>
    </>
  )
}
