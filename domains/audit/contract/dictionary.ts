import { dict } from '@kit/contract'

/** Kind of a line in the operation log and the archive journal (LOG_OP 1-14). */
export const log_op = dict('LOG_OP', {
  '1': '登录',
  '2': '退出',
  '3': '新增',
  '4': '修改',
  '5': '删除',
  '6': '导入',
  '7': '导出',
  '8': '审核',
  '9': '授权',
  '10': '重置密码',
  '11': '下发设备',
  '12': '远程开门',
  '13': '查看敏感信息',
  '14': '撤销',
})
