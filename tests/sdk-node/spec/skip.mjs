/** A case that says nothing about the server. */
export class Skip extends Error {}
