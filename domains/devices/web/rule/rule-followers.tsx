import { follower_words, ruleApi } from '@campus/devices/contract'
import type { DeviceRule, FollowerState, RuleFollower } from '@campus/devices/contract'
import { call, Loading, sentenceOf } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Empty, Popover, Tag } from 'antd'
import type { ReactNode } from 'react'

const colors: Readonly<Record<FollowerState, string>> = { applied: 'green', waiting: 'blue', offline: 'gold', paused: 'gold', refused: 'red', disabled: 'default', pending: 'orange', unsupported: 'default', gate: 'default', off: 'default' }
/** What somebody has to do something about comes first. */
const order: readonly FollowerState[] = ['refused', 'paused', 'offline', 'waiting', 'pending', 'disabled', 'unsupported', 'gate', 'off', 'applied']
const names_shown = 20

/** How many devices follow a rule, why the others do not, and by a press which ones. */
export function Applied({ rule }: { rule: DeviceRule }): ReactNode {
  const { rule_name, devices_applied, devices_wanted, devices_why } = rule
  const count = `${devices_applied}/${devices_wanted}`
  return (
    <>
      <Popover trigger="click" destroyOnHidden title={`“${rule_name}”在各设备上`} content={<Followers rule_id={rule.rule_id} />}>
        <Button type="link" size="small" className="rule-inline" aria-label={`${count}台已生效，查看各设备 ${rule_name}`}>{count}</Button>
      </Popover>
      {devices_why.length > 0 && <small className="device-quiet">{sorted(devices_why).map(one => `${follower_words[one.state]}${one.count}`).join('，')}</small>}
    </>
  )
}

function Followers({ rule_id }: { rule_id: string }): ReactNode {
  const query = useQuery({ queryKey: [ruleApi.followers.call, rule_id], queryFn: async ({ signal }) => (await call(ruleApi.followers, { id: rule_id }, { signal, quiet: true })).list })
  if (query.error) return <Alert type="error" showIcon title={sentenceOf(query.error)} action={<Button size="small" onClick={() => void query.refetch()}>重试</Button>} />
  if (!query.data) return <div className="rule-followers"><Loading rows={3} /></div>
  if (query.data.length === 0) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="适用范围内没有这类设备" />
  const groups = Map.groupBy(query.data, one => one.state)
  return (
    <ul className="rule-followers">
      {sorted([...groups].map(([state, list]) => ({ state, list }))).map(({ state, list }) => <Group key={state} state={state} list={list} />)}
    </ul>
  )
}

function Group({ state, list }: { state: FollowerState; list: readonly RuleFollower[] }): ReactNode {
  const said = [...new Set(list.map(one => one.sentence))].filter(sentence => sentence !== follower_words[state])
  const names = list.slice(0, names_shown).map(one => one.device_name).join('、')
  return (
    <li>
      <Tag color={colors[state]}>{`${follower_words[state]} ${list.length}台`}</Tag>
      <span>{said.join('；')}<small className="device-quiet">{list.length > names_shown ? `${names}等${list.length}台` : names}</small></span>
    </li>
  )
}

function sorted<T extends { state: FollowerState }>(list: readonly T[]): T[] {
  return list.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state))
}
