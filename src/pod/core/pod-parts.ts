import type {Draft, Message} from '../../worker/index.ts';
import type {AnsweredGuard} from '../context/answered/answered.ts';
import type {Compaction} from '../context/compaction/automatic.ts';
import type {Method, PodClient, Receipt} from '../protocol.ts';
import type {Budget} from '../run/budget/budget.ts';
import type {Boundary} from '../run/turn/turn.ts';
import type {Recovery} from '../run/turn/recovery.ts';
import type {Steering} from '../run/turn/steering.ts';
import type {TurnOptions, Turns} from '../run/turn/turn.ts';
import type {DirectoryConfirmed} from '../run/turn/working-directory.ts';
import type {Feature, referencesOf} from './feature.ts';
import type {ChildRole, CoreOptions} from './options.ts';
import type {PermissionParts} from './permissions.ts';
import type {SessionParts} from './session.ts';

/** The parts of a pod. `features` and the fields after it are set only after all features have been created. */
export type PodParts<Options extends CoreOptions = CoreOptions> = {
	readonly options: Options;
	readonly session: SessionParts;
	readonly permissions: PermissionParts;
	/** Sends a method in the same way as a client. */
	readonly send: (method: Method) => Promise<Receipt>;
	/** Opens the pod of a child session, which has the same features. */
	readonly openChild: (own: ChildOptions) => PodClient;
	readonly features: readonly Feature[];
	readonly references: ReturnType<typeof referencesOf>;
	readonly requests: RequestParts;
};

/**
Creates a feature for a pod. The function loads as few modules as possible, because every pod creates all of its
features.
*/
export type CreateFeature<Options extends CoreOptions = CoreOptions> = (pod: PodParts<Options>) => Feature;

/** The options in which a child session differs from its parent. */
type ChildOptions = Pick<CoreOptions, 'session' | 'scope' | 'model' | 'approval'> & {readonly child: ChildRole};

/** The parts that send requests: turns, steering and compactions. */
export type RequestParts = {
	readonly turns: Turns;
	readonly steering: Steering;
	readonly boundary: Boundary;
	readonly compaction: Compaction;
	/** Reports answers from a model that inkpod did not request, also in side conversations. */
	readonly answered: AnsweredGuard;
	readonly recovery: Recovery;
	/** The limits on cost and requests. Children share them. */
	readonly budget: Budget;
	readonly resolve: TurnOptions['resolve'];
	/** Returns the setup of the next request. */
	readonly setup: () => Promise<Draft<'setup'>>;
	/** Creates a message to the model that does not come from the user. `forRun`: a run answers the message. */
	readonly notice: (text: string, forRun: boolean) => Message;
	readonly confirmDirectory: (signal: AbortSignal) => Promise<DirectoryConfirmed>;
};
