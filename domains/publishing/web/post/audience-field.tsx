import { deptApi } from '@campus/people/contract'
import type { DeptTreeNode } from '@campus/people/contract'
import { PeoplePicker } from '@campus/people/web'
import { crowdApi, target } from '@campus/publishing/contract'
import type { AudienceLine, PostApi, Preview } from '@campus/publishing/contract'
import { useCan, useSettled } from '@kit/web'
import { Loaded, useCall } from '@kit/web/part'
import { Alert, Select, Tag, TreeSelect } from 'antd'
import type { ReactNode } from 'react'

type Named = AudienceLine & { name?: string }
type Props = { id?: string; value?: readonly Named[]; onChange?: (lines: Named[]) => void; scene: number }
const most_depts = 30
const [include, exclude] = [1, 2] as const

type Node = { value: string; title: string; children: Node[] }
const nodeOf = (node: DeptTreeNode): Node => ({ value: node.id, title: node.label, children: node.children.map(nodeOf) })

/** Who a post goes to: departments, crowds and single people, and whom not. */
export function AudienceField({ id, value = [], onChange, scene }: Props): ReactNode {
  const tree = useCall(deptApi.tree, { tree: scene === 1 ? 'student' : 'staff', with_count: '1' }, { enabled: useCan(deptApi.tree) })
  const crowds = useCall(crowdApi.list, { scene: scene === 1 ? '1' : '2', page_size: 300 }, { enabled: useCan(crowdApi.list) })
  const set = (mode: 1 | 2, type: AudienceLine['target_type'], ids: readonly string[]) => {
    const others = value.filter(line => line.mode !== mode || line.target_type !== type)
    onChange?.([...others, ...ids.map(target_id => ({ mode, target_type: type, target_id }))])
  }
  const idsOf = (mode: 1 | 2, type: number) => value.filter(line => line.mode === mode && line.target_type === type).map(line => line.target_id)
  return (
    <div className="pub-audience">
      <TreeSelect
        id={id} className="kit-fill" aria-label="部门班级" treeCheckable showCheckedStrategy={TreeSelect.SHOW_PARENT} allowClear maxTagCount={most_depts} placeholder={scene === 1 ? '选择年级或班级' : '选择部门'}
        treeData={(tree.data?.list ?? []).map(nodeOf)} loading={tree.isFetching} showSearch={{ treeNodeFilterProp: 'title' }} value={idsOf(include, target.dept)} onChange={(ids: string[]) => set(include, target.dept, ids)}
      />
      <Select
        mode="multiple" className="kit-fill" aria-label="通知人群" allowClear placeholder="选择通知人群" value={idsOf(include, target.crowd)} onChange={(ids: string[]) => set(include, target.crowd, ids)}
        options={(crowds.data?.list ?? []).map(crowd => ({ value: crowd.id, label: `${crowd.name}（${crowd.members}人）` }))} showSearch={{ optionFilterProp: 'label' }}
      />
      <PeopleSelect label="单独加入的人员" scene={scene} known={value} value={idsOf(include, target.person)} onChange={ids => set(include, target.person, ids)} />
      <PeopleSelect label="排除的人员" scene={scene} known={value} value={idsOf(exclude, target.person)} onChange={ids => set(exclude, target.person, ids)} />
    </div>
  )
}

type PeopleProps = { label: string; scene: number; known?: readonly Named[]; value: string[]; onChange: (ids: string[]) => void }

/** People of a scene found by typing. */
export function PeopleSelect({ label, scene, known = [], value, onChange }: PeopleProps): ReactNode {
  const people = known.flatMap(line => (line.name === undefined ? [] : [{ user_id: line.target_id, user_name: line.name }]))
  return <PeoplePicker of={[scene === 1 ? 'student' : 'teacher']} known={people} label={label} placeholder={`${label}，输入姓名查找`} value={value} onChange={onChange} />
}

type LiveProps = { api: PostApi; scene: number; kind: string; receivers: number; audience: readonly Named[] }

/** The number of the chosen set, asked again when the choice rests. */
export function LivePreview({ api, scene, kind, receivers, audience }: LiveProps): ReactNode {
  const chosen = audience.map(({ mode, target_type, target_id }) => ({ mode, target_type, target_id }))
  const lines: typeof chosen = JSON.parse(useSettled(JSON.stringify(chosen)))
  const query = useCall(api.preview, { scene, kind, receivers, audience: lines }, { enabled: lines.length > 0, keep: true })
  if (lines.length === 0) return <p className="pub-hint">请选择接收人群</p>
  return <Loaded query={query} rows={2}>{preview => <PreviewPart preview={preview} />}</Loaded>
}

/** How many, by class, and who cannot be reached. */
export function PreviewPart({ preview }: { preview: Preview }): ReactNode {
  const { total, students, guardians, staff, unbound, no_account, by_dept, problem, needs_approval } = preview
  const parts = [[students, '名学生'], [guardians, '位家长'], [staff, '名教职工']] as const
  return (
    <div className="pub-preview" role="status">
      <p>应读 <b className="kit-number">{total.toLocaleString('zh-CN')}</b>（{parts.filter(([n]) => n > 0).map(([n, word]) => `${n.toLocaleString('zh-CN')}${word}`).join('、') || '0人'}）</p>
      {problem !== null && <Alert type="warning" showIcon title={problem} />}
      {unbound + no_account > 0 && <Alert type="info" showIcon title={`${unbound}名学生未绑定家长，${no_account}人没有账号，无法收到`} />}
      {needs_approval && <Alert type="info" showIcon title="人数较多，提交后由其他有审核权限的人通过才会发布" />}
      <div className="pub-tags">{by_dept.slice(0, most_depts).map(one => <Tag key={one.dept_id}>{one.dept_name} {one.units}</Tag>)}{by_dept.length > most_depts && <Tag>等{by_dept.length}个部门</Tag>}</div>
    </div>
  )
}
