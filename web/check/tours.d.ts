// What the scripts of the tours share with each other, and with steps.

declare var aim: any, fresh: any, notices: Set<string>, read: MutationRecord[], tour: any, goesOn: boolean | undefined, isHeld: boolean | undefined;

/** In a worker of the page: tells the page. */
declare function tell(what: object): void;
