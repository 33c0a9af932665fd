import { moduleName } from '@campus/audit/contract'
import type { ChangeReceipt } from '@campus/people/contract'
import { Tag } from 'antd'
import type { ReactNode } from 'react'
import { effect_colors, effect_names } from './change-words.ts'
import { EffectHand } from './effect-hand.tsx'
import type { Hand } from './effect-hand.tsx'

type Effect = ChangeReceipt['effects'][number]
type Group = { key: string; first: Effect; more: Effect[] }

const by_urgency = ['failed', 'waiting', 'running', 'planned', 'done', 'undone', 'skipped'] as const

/** What follows from a command, by domain: that one first in which somebody has to look at something. */
export function Effects({ effects, hand }: Pick<ChangeReceipt, 'effects'> & { hand: Hand | undefined }): ReactNode {
  const domains = [...Map.groupBy(effects, effect => effect.domain)].map(([domain, own]) => ({ domain, own, urgency: Math.min(...own.map(({ state }) => by_urgency.indexOf(state))) }))
  return domains.toSorted((a, b) => a.urgency - b.urgency).map(({ domain, own }) => (
    <section key={domain} className="change-domain" aria-label={moduleName(domain)}>
      <h4>{moduleName(domain)}</h4>
      <DomainEffects effects={own} hand={hand} />
    </section>
  ))
}

/** Effects of one domain by what they do; those of single persons are counted, those with nothing to do stand in one line. */
function DomainEffects({ effects, hand }: { effects: readonly Effect[]; hand: Hand | undefined }): ReactNode {
  const idle = effects.filter(({ state, detail }) => state === 'skipped' && detail === null)
  const groups = [...Map.groupBy(effects.filter(effect => !idle.includes(effect)), effect => `${effect.effect_code} ${effect.state}`)].flatMap(([key, [first, ...more]]): Group[] => (first ? [{ key, first, more }] : []))
  return (
    <ul className="change-effects">
      {groups.toSorted((a, b) => urgencyOf(a) - urgencyOf(b)).map(({ key, first, more }) => (
        <li key={key}>
          <Tag color={effect_colors[first.state]}>{effect_names[first.state]}</Tag>
          <span>
            <b>{first.title}</b> {more.length > 0 && <span className="kit-number">{more.length + 1} 项</span>}
            {!first.undoable && <small className="change-final">不可撤销</small>}
            {first.detail !== null && <small className="change-hint">{first.detail}</small>}
            {hand && <EffectHand effect={first} hand={hand} />}
          </span>
        </li>
      ))}
      {idle.length > 0 && <li><Tag>{effect_names.skipped}</Tag><span className="change-hint">{[...new Set(idle.map(effect => effect.title))].join('、')}</span></li>}
    </ul>
  )
}

function urgencyOf({ first }: Group): number {
  return by_urgency.indexOf(first.state)
}
