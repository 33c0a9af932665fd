/**
 * Imports allowed inside one tier: a domain (left) may import the public faces of these (right). The register of seams is
 * the source; a new edge is a line there first. The graph stays acyclic: dependency-cruiser refuses every cycle.
 */
export const sameTierEdges: Readonly<Record<string, readonly string[]>> = {
  identity: ['school'],
  files: ['school'],
  audit: ['school'],
  jobs: ['school', 'identity', 'files'],
  messages: ['school', 'identity'],

  people: ['calendar'],
  places: ['people'],
  devices: ['places', 'people', 'calendar'],
  approval: ['people'],
  privacy: ['people', 'calendar'],

  access: ['cards', 'faces', 'leave'],
  teaching: ['leave'],
  exams: ['teaching', 'access', 'leave'],
  attendance: ['teaching', 'leave', 'exams', 'access', 'cards'],
  evaluation: ['teaching', 'attendance'],
  finance: ['cards'],
  canteen: ['finance', 'leave'],
  publishing: ['canteen', 'teaching', 'exams', 'evaluation', 'leave'],
  dorm: ['leave'],
  health: ['leave'],
  transport: ['leave', 'health', 'attendance'],
  parking: ['access'],
  repair: ['teaching'],
  voice: ['exams'],
}
