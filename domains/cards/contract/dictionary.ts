import { dict } from '@kit/contract'

/** State of a holding (chapter 40 §2.1); 0 is a person without a card and is never stored. */
export const CARD_STATE = dict('CARD_STATE', {
  '0': '未发卡', '1': '正常', '2': '挂失', '3': '已补卡(旧卡作废)', '4': '已退卡(注销)', '5': '冻结', '6': '过期', '7': '禁用',
})
export const CARD_TYPE = dict('CARD_TYPE', {
  '1': '学生卡', '2': '教师卡', '3': '家长卡', '4': '访客卡', '5': '临时卡', '6': '社保卡(第三代)', '7': '副卡', '8': '管理卡', '9': '车辆卡',
})
export const CARD_MEDIA = dict('CARD_MEDIA', {
  '1': 'IC卡(M1)', '2': 'CPU卡', '3': 'ID卡', '4': 'NFC手机卡', '5': '二维码', '6': '双频卡', '7': '有源RFID卡',
})
/** Acts on cards; 12 to 18 are this domain's additions to the dictionary. */
export const CARD_OP = dict('CARD_OP', {
  '1': '发卡', '2': '挂失', '3': '解挂', '4': '补卡', '5': '退卡', '6': '换卡', '7': '发副卡', '8': '退副卡', '9': '快速补卡', '10': '批量导入', '11': '自动发卡',
  '12': '延期', '13': '冻结', '14': '解冻', '15': '撤销', '16': '入库', '17': '作废', '18': '找回入库',
})

/** Where a medium is. */
export const stock_names = { '0': '在库', '1': '在用', '2': '丢失', '3': '作废' } as const
export const lost_reasons = { '1': '遗失', '2': '被盗', '3': '损坏' } as const
export const via_names = { '1': '读卡器', '2': '手工', '3': '导入', '4': '本人或家长', '5': '系统' } as const
export const pay_ways = { '1': '现金', '2': '账户', '3': '免收' } as const
export const origin_names = { '1': '采购入库', '2': '读卡', '3': '导入', '4': '社保' } as const
export const conflict_kinds = { '1': '同卡异人', '2': '社保信息不符', '3': '同号异卡', '4': '印刷号重复' } as const
export const deposit_kinds = { '1': '收取', '2': '退还', '3': '没收', '4': '冲正' } as const
