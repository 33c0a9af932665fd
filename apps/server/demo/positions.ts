/** Offices whose people are told apart: what they do, the head first. Roles are given by these words. */
const known: Readonly<Record<string, readonly string[]>> = {
  校领导: ['校长', '党委书记', '副校长', '副校长', '副校长', '副校长', '校办主任', '校办副主任', '纪委书记'],
  教务处: ['主任', '副主任', '副主任', '教务员', '教务员', '教务员'],
  德育处: ['主任', '副主任', '副主任', '德育干事', '德育干事'],
  人事处: ['主任', '人事干事'],
  财务处: ['主任', '会计', '出纳', '统计员'],
  总务处: ['主任', '食堂管理员', '食堂管理员', '校车管理员', '采购员', '仓库管理员'],
  信息中心: ['主任', '网络管理员', '系统管理员', '设备管理员'],
  安全保卫处: ['主任', '安全干事', '安全干事'],
  医务室: ['主任', '校医', '校医'],
  图书馆: ['馆长', '图书管理员', '图书管理员'],
  宿管科: ['科长', ...many('宿舍管理员', 11), ...many('门卫', 5), ...many('收发员', 3), ...many('水电工', 2)],
  总经理办公室: ['总经理', '副总经理', '副总经理', '总经理助理', '秘书', '司机'],
  人力资源部: ['人力资源经理', '招聘主管', '薪酬主管', '培训专员', ...many('人事专员', 4)],
  财务部: ['财务经理', '总账会计', '成本会计', '出纳', ...many('会计', 5)],
  行政部: ['行政经理', '行政主管', '前台', ...many('行政专员', 4), ...many('保洁员', 5)],
  研发中心: ['研发总监', '研发经理', '研发经理', ...many('高级工程师', 15), ...many('工程师', 30), ...many('测试工程师', 10)],
  生产一车间: ['车间主任', ...many('班组长', 6), ...many('操作工', 55)],
  生产二车间: ['车间主任', ...many('班组长', 5), ...many('操作工', 42)],
  质量部: ['质量经理', ...many('质量工程师', 5), ...many('检验员', 12)],
  供应链部: ['供应链经理', ...many('采购员', 6), ...many('仓库管理员', 8)],
  市场部: ['市场经理', ...many('客户经理', 8), ...many('市场专员', 5)],
  安保部: ['安保队长', ...many('保安员', 9)],
}

/** The positions of an office with so many places; an office nobody wrote down has a head and clerks. */
export function officePositions(dept_name: string, places: number): string[] {
  const words = known[dept_name] ?? ['主任']
  return Array.from({ length: places }, (_, at) => words[at] ?? '干事')
}

function many(word: string, times: number): string[] {
  return Array.from({ length: times }, () => word)
}
