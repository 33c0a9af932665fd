import type { RuleBody } from '@campus/attendance/contract'

/** Instants are milliseconds since 1970; nothing here reads a clock. */
export type Span = { begin: number; end: number }
/** A place with the floor and the building it lies in. */
export type Place = { place_id: string; floor_id: string | null; building_id: string | null; name: string }
/** A device that counts for a place: until when everything it saw is here, and when it could see nothing. */
export type Point = { device_id: string; name: string; drained_to: number | null; outages: readonly Span[] }
/** A correction in effect. */
export type Correction = { correction_id: string; state: number; late_min: number; early_min: number; text: string }

/** Who should be where from when to when: a lesson (1), a clock slot (2) or an exam sitting (3). */
export type Expectation = {
  expect_kind: number
  occurrence_id: string
  begin: number
  end: number
  /** `第3节 物理` */
  title: string
  place: Place | null
  /** null: no arrange reaches it */
  rule: { ref: string; body: RuleBody } | null
  points: readonly Point[]
  /** why this person need not clock here */
  exempt: string | null
  correction: Correction | null
}

/**
 * A claim that a person was seen; those without a usable time and voided ones are left out. `occurrence_id`: the lesson a teacher's claim
 * speaks of.
 */
export type Evidence = {
  ref: string
  at: number
  place: Place | null
  direction: number
  way: number | null
  source: number
  claim: string
  time_state: number
  occurrence_id: string | null
}
/** A pass of the perimeter; direction 1 in, 2 out. */
export type Gate = { at: number; direction: number; place_name: string }
/** An approved leave; one that sends the person elsewhere for the school counts as 外勤. */
export type Leave = Span & { leave_id: string; is_public: boolean; text: string }

/** Everything that is known of one person on one day. */
export type PersonDay = {
  as_of: number
  expectations: readonly Expectation[]
  evidence: readonly Evidence[]
  gates: readonly Gate[]
  leaves: readonly Leave[]
  /** after so long an unverified row becomes 免考勤 by itself; null: it stays a task */
  exempt_unverified_after: number | null
}

/** One rung: whether it decided, and what it found. */
export type Rung = { step: string; hit: boolean; text: string }

export type Verdict = {
  expect_kind: number
  occurrence_id: string
  state: number
  in_at: number | null
  out_at: number | null
  identify_type: number | null
  late_min: number
  early_min: number
  flags: number
  event_ref: string | null
  rule_ref: string | null
  correction_id: string | null
  /** a device has not handed over everything yet */
  provisional: boolean
  ladder: Rung[]
  /** why, in one Chinese sentence */
  sentence: string
}
