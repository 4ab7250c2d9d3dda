/** For billing, which moves plans by what a payment provider has told and signed: nobody calls it with a credential. */
export {
  type HeldOrganization,
  lockOrganizations,
  organizationsWithEndedPlans,
  setTimedPlans,
  type TimedPlan,
} from './store.ts'
