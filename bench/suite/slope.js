/** What each further one costs: the slope of the line through points of `[count, cost]` with the least squares. Undefined without two of them. */
export function findSlope(points) {
  const known = points.filter(([, cost]) => cost !== undefined);
  if (known.length < 2) return undefined;
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanCount, meanCost] = [mean(known.map(([count]) => count)), mean(known.map(([, cost]) => cost))];
  const covariance = mean(known.map(([count, cost]) => (count - meanCount) * (cost - meanCost)));
  return covariance / mean(known.map(([count]) => (count - meanCount) ** 2));
}
