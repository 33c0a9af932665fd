import { PlusOutlined } from '@ant-design/icons'
import type { Endpoint } from '@kit/contract'
import { Can, Filters, ListPage, Table, useCan } from '@kit/web'
import { useAct } from '@kit/web/act'
import type { ResourceList } from '@kit/web'
import { useQueryClient } from '@tanstack/react-query'
import { Button, Dropdown, Switch } from 'antd'
import { Suspense, useState } from 'react'
import type { ReactNode } from 'react'

type Rule = { rule_name: string; enabled: boolean }
/** A rule in its drawer; null: a new one. */
export type OpenedRule<R> = { rule: R | null; is_copy: boolean }
/** What a list of rules does with its rules: `need` is what who writes them may do, `touches` what a deletion does, `read` is read again after a change. */
export type RuleActs<R> = { need: Endpoint; turn: (rule: R, enabled: boolean) => Promise<unknown>; remove: (rule: R) => Promise<unknown>; touches: (rule: R) => string; read: readonly { call: string }[] }
type Props<R, Name extends string> = {
  of: ResourceList<R, Name>
  acts: RuleActs<R>
  /** what the rules are called */
  noun: string
  head?: ReactNode
  filter_by: readonly Name[]
  show: readonly Name[]
  more?: readonly Name[]
  drawer: (opened: OpenedRule<R>, close: () => void) => ReactNode
}

const ROW_WIDTH = 120

/** A list of rules, whatever they are for: each is switched, edited, copied and deleted in its row. */
export function RuleTable<R extends Rule, Name extends string>({ of, acts, noun, head, filter_by, show, more = [], drawer }: Props<R, Name>): ReactNode {
  const [opened, open] = useState<OpenedRule<R> | null>(null)
  const may_edit = useCan(acts.need)
  const { act } = useAct(acts.read)
  const remove = (rule: R) => act(() => acts.remove(rule), {
    ask: { title: `删除规则“${rule.rule_name}”？`, touches: acts.touches(rule), ok: '删除' },
    done: '删除成功!',
  })
  const more_acts = (rule: R): Record<string, () => void> => ({ copy: () => open({ rule, is_copy: true }), remove: () => void remove(rule) })
  const row = (rule: R) => may_edit && (
    <>
      <Button type="link" size="small" aria-label={`编辑 ${rule.rule_name}`} onClick={() => open({ rule, is_copy: false })}>编辑</Button>
      <Dropdown trigger={['click']} menu={{ items: [{ key: 'copy', label: '复制' }, { key: 'remove', label: '删除', danger: true }], onClick: ({ key }) => more_acts(rule)[key]?.() }}>
        <Button type="link" size="small" aria-label={`更多 ${rule.rule_name}`}>更多</Button>
      </Dropdown>
    </>
  )
  return (
    <ListPage of={of} head={head} filters={<Filters of={of} show={filter_by} />} actions={<Can code={acts.need}><Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => open({ rule: null, is_copy: false })}>{`新增${noun}`}</Button></Can>}>
      <Table of={of} show={show} more={more} row={row} row_width={ROW_WIDTH} empty={`还没有${noun}，点击右上角新增`} />
      <Suspense>{opened && drawer(opened, () => open(null))}</Suspense>
    </ListPage>
  )
}

/** The switch of a rule. */
export function RuleSwitch<R extends Rule>({ rule, acts }: { rule: R; acts: RuleActs<R> }): ReactNode {
  const { busy, act } = useAct(acts.read)
  const may_edit = useCan(acts.need)
  const turn = (enabled: boolean) => act(() => acts.turn(rule, enabled), { done: '设置成功' })
  return <Switch size="small" checked={rule.enabled} loading={busy} disabled={!may_edit} aria-label={`启用 ${rule.rule_name}`} onChange={enabled => void turn(enabled)} />
}

/** Reads the lists behind these calls again. */
export function useReadAgain(read: readonly { call: string }[]): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    await Promise.all(read.map(({ call }) => client.invalidateQueries({ queryKey: [call] })))
  }
}
