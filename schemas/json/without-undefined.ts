/** The members that may be undefined are optional, and never undefined where they are there. */
type WithoutUndefined<Value> = { [Key in keyof Value as undefined extends Value[Key] ? never : Key]: Value[Key] } & {
  [Key in keyof Value as undefined extends Value[Key] ? Key : never]?: Exclude<Value[Key], undefined>;
};

/** The same members without the undefined ones, for data that is written down, hashed or laid over other data. */
export function withoutUndefined<const Value extends object>(value: Value): WithoutUndefined<Value> {
  return Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== undefined),
  ) as WithoutUndefined<Value>;
}
