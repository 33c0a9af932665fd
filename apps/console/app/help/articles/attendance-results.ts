import type { Article } from '../article.ts'

const range: readonly [string, string] = ['查询范围不能超过{n}天', '明细一次最多查31天，指定一个人时可查一个学期；缩短日期范围后再查。']
const long: readonly [string, string] = ['查询范围不能超过{n}天', '汇总一次最多查一个学期，缩短日期范围后再查。']
const late: readonly [string, string] = ['已超过可更正期限', '任课教师24小时内、班主任3天内、教务30天内可以更正，超过后请联系教务处。']
const whos = [['Student', '学生', 'student'], ['Teacher', '教师', 'teacher']] as const

const gathers = [
  ['CourseGather', 'course-gather', '课程考勤汇总', '课程', '按课程查看'],
  ['PersonalGather', 'personal-gather', '个人考勤汇总', '个人', '按人查看'],
  ['PersonalSectionGather', 'personal-section-gather', '个人节次汇总', '节次', '按人和节次查看'],
  ['PersonalCourseGather', 'personal-course-gather', '个人课程汇总', '课程', '按人和课程查看'],
  ['ClassroomGather', 'classroom-gather', '教室考勤汇总', '教室', '按教室查看'],
  ['ClassroomCourseGather', 'classroom-course-gather', '教室课程汇总', '教室', '按教室和课程查看'],
  ['ClassroomSectionGather', 'classroom-section-gather', '教室节次汇总', '教室', '按教室和节次查看'],
] as const

/** Results of attendance: the same for pupils and for teachers. */
export const attendanceResults: readonly Article[] = whos.flatMap(([end, who, id]): Article[] => [
  {
    id: `original-record-${id}`, path: `/OriginalRecord${end}`, title: `${who}原始打卡记录`, words: ['打卡', '原始', '作废', '未匹配', '时钟'],
    purpose: `查看${who}的每一条打卡记录，以及它用于哪一节课或为什么没有采用。`,
    steps: ['选择日期、班级或部门、考勤点和识别方式，点“查询”。', '“匹配”列显示采用的节次，或未采用的原因：不在时段、非本教室、重复已合并、无课。', '点“查看判定”打开该节课的判定依据。', '借卡、双胞胎等错误的记录点“作废”并填写理由；作废后不再参与判定，可以恢复。'],
    refusals: [range, ['该打卡记录已作废', '已有人作废，刷新列表后可查看。']],
  },
  {
    id: `personal-detail-${id}`, path: `/PersonalDetail${end}`, title: `${who}个人考勤明细`, words: ['明细', '判定', '更正', '申诉', '封存', '缺勤', '迟到'],
    purpose: `逐节查看${who}的考勤结果和判定依据，更正结果，处理申诉，封存已结束的月份。`,
    steps: ['查询后每行是一个人的一节课；从汇总点数字进来时已带上同样的条件。', '点“判定依据”查看打卡、请假、进出校门和结果变化。', '点“更正”或勾选多行后“批量更正”，填写原因和佐证；7天内可在“更正与申诉”中撤销。', '“更正与申诉”中的待审核申诉由另一人同意或驳回。', '“月度封存”中封存已结束、没有待核实的月份；封存后的差异单独列出，须由另一人解封。'],
    refusals: [range, late, ['该记录已有更正：{name} {time}', '同一条记录只能有一个有效更正，先撤销原更正。'], ['请上传佐证材料', '证明、照片等佐证须上传图片。'], ['还有{n}条待核实、{m}个未完成单元，不能封存', '先处理待核实的记录，再封存。']],
  },
  {
    id: `course-detail-${id}`, path: `/CourseDetail${end}`, title: `${who}课程考勤明细`, words: ['课程', '每节课', '应到', '实到', '出勤率'],
    purpose: `一节课一行，查看${who}的应到、实到、迟到、缺勤和出勤率。`,
    steps: ['选择日期和条件后查询，合计在表格最后一行。', '点任一数字打开这节课对应的人员。', '点“图”查看日期与节次的出勤率热力图。', '点“导出”下载与屏幕相同的数据。'],
    refusals: [range],
  },
  {
    id: `classroom-detail-${id}`, path: `/ClassroomDetail${end}`, title: `${who}教室考勤明细`, words: ['教室', '每节课', '应到', '实到', '出勤率'],
    purpose: `按教室逐节查看${who}的应到、实到、迟到、缺勤和出勤率。`,
    steps: ['选择日期和教室后查询，合计在表格最后一行。', '点任一数字打开这节课对应的人员。', '点“图”查看教室与节次的出勤率热力图。', '点“导出”下载与屏幕相同的数据。'],
    refusals: [range],
  },
  ...gathers.map(([code, name, title, word, says]): Article => ({
    id: `${name}-${id}`, path: `/${code}${end}`, title: `${who}${title}`, words: ['汇总', word, '出勤率', '应到', '缺勤'],
    purpose: `${says}${who}的应到、十种状态的人次、迟到分钟和出勤率。`,
    steps: ['选择日、周、月和条件，先看图，再点“表”查看数字。', '应到等于十种状态之和；出勤率不计请假、免考勤、未到时间和待核实。', '点图形或数字打开对应的人员明细；超过31天且未指定人员时不能打开。', '点列标题排序，最后一行是全部页的合计；“导出”与屏幕相同。'],
    refusals: [long],
  })),
])
