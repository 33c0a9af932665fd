import { deptExportApi, parentExportApi, staffExportApi, studentExportApi } from '@campus/people/contract'
import { implement } from '../db.ts'
import { exportDepts, exportParents, exportStaff, exportStudents } from './export.service.ts'

export const exportRoutes = [...implement(studentExportApi, { export: exportStudents }), ...implement(parentExportApi, { export: exportParents }), ...implement(staffExportApi, { export: exportStaff }), ...implement(deptExportApi, { export: exportDepts })]
