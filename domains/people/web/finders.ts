import { call } from '@kit/web'
import { listAddress } from '@kit/web/find'
import type { Finder } from '@kit/web/find'

const page = (keyword: string) => ({ keyword, page_index: 1, page_size: 20 }) as const
const about = (parts: readonly (string | null | undefined)[]) => parts.filter(Boolean).join(' · ')

const pupils: Finder = {
  kind: '学生',
  need: 'people.student.view',
  find: async (keyword, most, signal) => {
    const { studentApi } = await import('@campus/people/contract')
    const { list, total } = await call(studentApi.list, { ...page(keyword), include_sub: '1' }, { quiet: true, signal })
    const found = list.slice(0, most).map(one => ({
      key: one.user_id, title: one.user_name, about: about([one.dept_name, one.student_no]), address: listAddress('/PersonDetail', { user_id: one.user_id }),
    }))
    return { found, total, all: listAddress('/ParentsRecord', { keyword }) }
  },
}

const staff: Finder = {
  kind: '教职工',
  need: 'people.staff.view',
  find: async (keyword, most, signal) => {
    const { staffApi } = await import('@campus/people/contract')
    const { list, total } = await call(staffApi.list, page(keyword), { quiet: true, signal })
    const found = list.slice(0, most).map(one => ({
      key: one.user_id, title: one.user_name, about: about([one.depts[0]?.dept_name, one.teacher_no]), address: listAddress('/PersonDetail', { user_id: one.user_id }),
    }))
    return { found, total, all: listAddress('/TeachersRecord', { keyword }) }
  },
}

const parents: Finder = {
  kind: '家长',
  need: 'people.parent.view',
  find: async (keyword, most, signal) => {
    const { parentApi } = await import('@campus/people/contract')
    const { list, total } = await call(parentApi.list, page(keyword), { quiet: true, signal })
    const found = list.slice(0, most).map(one => ({
      key: one.user_id, title: one.user_name, about: about([one.children.map(child => child.user_name).join('、'), one.mobile]), address: listAddress('/PersonDetail', { user_id: one.user_id }),
    }))
    return { found, total, all: listAddress('/ParentsRecord', { tab: 'parent', keyword }) }
  },
}

const classes: Finder = {
  kind: '班级和部门',
  need: 'people.dept.view',
  find: async (keyword, most, signal) => {
    const { deptApi } = await import('@campus/people/contract')
    const asked = { keyword, with_count: '1' } as const
    const [pupil_tree, staff_tree] = await Promise.all([
      call(deptApi.lazyTree, { ...asked, tree: 'student' }, { quiet: true, signal }),
      call(deptApi.lazyTree, { ...asked, tree: 'staff' }, { quiet: true, signal }),
    ])
    const of = (path: string, list: typeof pupil_tree.list) =>
      list.map(one => ({ key: one.id, title: one.label, about: about([one.pname, `${one.student_count + one.staff_count}人`]), address: listAddress(path, { dept_id: one.id }) }))
    const found = [...of('/ParentsRecord', pupil_tree.list), ...of('/TeachersRecord', staff_tree.list)]
    return { found: found.slice(0, most), total: found.length }
  },
}

/** What 快速查找 finds in the archives. */
export const peopleFinders: readonly Finder[] = [pupils, staff, parents, classes]
