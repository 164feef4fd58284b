/** What the guide can do with a tool. The arguments are the guide's own knowledge. */
export type GuideAct = 'list' | 'search' | 'read' | 'edit' | 'write' | 'run';

/**
A tool that the guide uses. `doing`: the verb while a call is on its way (`reading`). `example`: what to type for it.
*/
export type GuideTool = {
	readonly name: string;
	readonly act: GuideAct;
	readonly doing: string;
	readonly example?: string;
};
