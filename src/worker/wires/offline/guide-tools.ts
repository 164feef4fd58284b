/** The actions of the guide that need a tool. The guide itself knows the arguments of these tools. */
export type GuideAct = 'list' | 'search' | 'read' | 'edit' | 'write' | 'run';

/**
A tool that the guide uses. `doing`: the verb while a call runs (`reading`). `example`: a message that makes the guide
call it.
*/
export type GuideTool = {
	readonly name: string;
	readonly act: GuideAct;
	readonly doing: string;
	readonly example?: string;
};
