/** The address is one that the service must not call. */
export class AddressNotAllowed extends Error {}
