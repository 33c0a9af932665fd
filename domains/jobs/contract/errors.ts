import { failures } from '@kit/contract'

/** User-facing failures of jobs and imports (chapter 10 §6). */
export const jobsErrors = failures('jobs', {
  jobNotFound: [404, '任务不存在或已过期'],
  jobFinished: [409, '任务已结束，无需取消'],
  noResult: [404, '结果文件不存在或已过期'],
  resultTaken: [404, '该文件只能下载一次，已被下载；如未保存，请重新生成'],
  unknownTemplate: [404, '导入模板不存在'],
  batchNotFound: [404, '导入批次不存在或已过期'],
  batchNotParsed: [409, '该批次当前不能修改，请刷新后查看最新状态'],
  batchHasErrors: [409, '还有{n}行错误未处理，请修改或忽略后再导入'],
  sheetsUnread: [409, '工作表{names}没有读取，请确认不导入这些工作表'],
  batchBusy: [409, '该批次正在处理，请稍候'],
  rowNotFound: [404, '该行不存在'],
  batchNotApplied: [409, '该批次没有可撤销的数据'],
  batchUndone: [409, '该批次已撤销，不能重复撤销'],
  undoTooLate: [409, '已超过30天的撤销期限'],
  undoUnsupported: [409, '该导入不支持撤销'],
  undoBlocked: [409, '有{n}行在导入后又有变动，不能整批撤销'],
  roleEnded: [409, '权限已失效'],
})
