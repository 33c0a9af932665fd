import type { DeptTreeNode } from '@campus/people/contract'
import { AppModal, confirmDanger, dictionaryName, schoolToday, toast } from '@kit/web'
import { Alert, Checkbox, InputNumber, Progress, Switch } from 'antd'
import { useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { className } from './class-names.ts'
import { dept_types, enrolYearOf, gradeName, gradesOf, schoolYearOf } from './dept-place.ts'
import { most_classes, roundOf, starter_stages, starterPlan, usual_classes } from './starter-plan.ts'
import type { StarterChoice } from './starter-plan.ts'
import { useStarter } from './use-starter.ts'

/** 快速建校: stages, classes of each grade, all names shown, everything made in one go. */
export function StarterDialog({ tree, onClose }: { tree: readonly DeptTreeNode[]; onClose: () => void }): ReactNode {
  const school_year = schoolYearOf(schoolToday())
  const [choice, setChoice] = useState<StarterChoice>({ stages: [], classes: {}, with_divisions: false, school_year })
  const plan = useMemo(() => starterPlan(choice), [choice])
  const missing = useMemo(() => missingOf(plan, tree), [plan, tree])
  const starter = useStarter()
  const stages = starter_stages.map(value => ({ value, label: dictionaryName('STAGE', value) }))
  const chooseStages = (chosen: string[]) => setChoice({ ...choice, stages: chosen, with_divisions: chosen.length > 1 })
  const build = async () => {
    if (!(await starter.run(plan))) return
    toast.success('组织架构已建立')
    onClose()
  }
  const leave = async () => {
    if (starter.busy) return
    if (choice.stages.length === 0 || (await confirmDanger({ title: '还没有建立，确定关闭吗？', ok: '放弃' }))) onClose()
  }
  return (
    <AppModal open width={800} title="快速建校" okText={missing > 0 ? `建立 ${missing} 个部门` : '建立'} okButtonProps={{ disabled: missing === 0 }} confirmLoading={starter.busy} onOk={() => void build()} onCancel={() => void leave()}>
      {starter.refused !== null && <Alert className="org-refused" type="warning" showIcon title={`${starter.refused}（已建立的部门会保留，修改后可继续）`} />}
      <div className="org-starter">
        <div className="org-starter-line" role="group" aria-label="学段">
          <span>学段</span>
          <Checkbox.Group options={stages} value={[...choice.stages]} disabled={starter.busy} onChange={chooseStages} />
        </div>
        <div className="org-starter-line">
          <label htmlFor="starter-divisions">按学部分开</label>
          <Switch id="starter-divisions" checked={choice.with_divisions} disabled={starter.busy || choice.stages.length === 0} onChange={with_divisions => setChoice({ ...choice, with_divisions })} />
          <span className="org-hint">{choice.with_divisions ? '年级建在小学部、初中部等学部下' : '年级直接建在学校下'}</span>
        </div>
        {choice.stages.length === 0 && <p className="org-hint">选择学段后，在这里调整每个年级的班级数，并预览将建立的名称。</p>}
        {starter_stages.filter(stage => choice.stages.includes(stage)).map(stage => <StageGrades key={stage} stage={stage} choice={choice} change={setChoice} disabled={starter.busy} />)}
      </div>
      {starter.busy && <Progress percent={Math.round((starter.done / Math.max(1, plan.length)) * 100)} aria-label="建立进度" />}
      {plan.length > 0 && <p className="org-starter-sum">{sumOf(plan, missing)}</p>}
    </AppModal>
  )
}

type OfStage = { stage: string; choice: StarterChoice; change: (choice: StarterChoice) => void; disabled: boolean }

function StageGrades({ stage, choice, change, disabled }: OfStage): ReactNode {
  const countOf = (grade: string) => choice.classes[grade] ?? usual_classes
  return (
    <section aria-label={dictionaryName('STAGE', stage)}>
      <h3 className="org-subtitle">{dictionaryName('STAGE', stage)}</h3>
      <ul className="org-starter-grades">
        {gradesOf(stage).map(grade => (
          <li key={grade}>
            <b>{gradeName(grade)}</b>
            <span className="org-cohort">{`${enrolYearOf(grade, choice.school_year)}级`}</span>
            <InputNumber
              aria-label={`${gradeName(grade)}班级数`}
              min={0}
              max={most_classes}
              precision={0}
              suffix="个班"
              readOnly={disabled}
              value={countOf(grade)}
              onChange={count => change({ ...choice, classes: { ...choice.classes, [grade]: count ?? 0 } })}
            />
            <span className="org-starter-names" title={namesOf(grade, countOf(grade), countOf(grade))}>
              {namesOf(grade, countOf(grade), 3)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** `一年级1班、一年级2班、一年级3班…一年级6班`: the first `shown` names and the last. */
function namesOf(grade: string, count: number, shown: number): string {
  const names = Array.from({ length: count }, (_, at) => className(gradeName(grade), at + 1))
  if (count === 0) return '只建年级，不建班级'
  return count <= shown + 1 ? names.join('、') : `${names.slice(0, shown).join('、')} … ${names.at(-1) ?? ''}`
}

function missingOf(plan: ReturnType<typeof starterPlan>, tree: readonly DeptTreeNode[]): number {
  return plan.length - roundOf(plan, tree).standing.size
}

function sumOf(plan: ReturnType<typeof starterPlan>, missing: number): string {
  const count = (dept_type: number) => plan.filter(dept => dept.dept_type === dept_type).length
  const divisions = count(dept_types.division)
  const parts = [...(divisions > 0 ? [`${divisions} 个学部`] : []), `${count(dept_types.grade)} 个年级`, `${count(dept_types.class)} 个班级`]
  const standing = plan.length - missing
  return `共 ${parts.join('、')}，今天起生效${standing > 0 ? `；其中 ${standing} 个已存在，不会重复建立` : ''}`
}
